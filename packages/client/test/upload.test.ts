import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Failure } from "../src/index.ts";
import { joined, picture, Server, Watched } from "./surroundings.ts";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

async function failure(attempt: Promise<unknown>): Promise<Failure> {
  return attempt.then(() => assert.fail("it should fail"), (error: Failure) => error);
}

test("an upload tells its progress and ends COMPLETED", async () => {
  const app = await joined(server, "ana");
  const file = await picture();
  const told: [number, number][] = [];
  const post = await app.upload({ text: "Hello", keywords: ["sea"] }, file, (sent, total) => told.push([sent, total]));
  assert.equal(post.postStatus, "COMPLETED");
  assert.deepEqual(told.at(-1), [file.size, file.size]);
  assert.deepEqual(told, [...told].sort(([a], [b]) => a - b));
  const there = await app.query<any>(`query($id: ID!) { post(postId: $id) { text keywords image { url } } }`, { id: post.postId });
  assert.deepEqual([there.post.text, there.post.keywords], ["Hello", ["sea"]]);
  assert.equal((await fetch(there.post.image.url)).headers.get("content-length"), String(file.size));
});

test("an upload fails with the reason", async () => {
  const app = await joined(server, "ben");
  const unfit = await failure(app.upload({}, new Blob(["no picture"], { type: "image/jpeg" })));
  assert.equal(unfit.code, "UPLOAD_UNFIT");
  const { post } = await app.query<any>(`query($id: ID!) { post(postId: $id) { postStatus } }`, { id: unfit.details.postId });
  assert.equal(post.postStatus, "ERROR");

  assert.equal((await failure(app.upload({}, new Blob(["GIF89a"], { type: "image/gif" })))).code, "UNSUPPORTED_MEDIA_TYPE");
  assert.equal((await failure(app.upload({ lifetime: "for ever" }, await picture()))).code, "INVALID");
  const { postId } = await app.upload({}, await picture());
  assert.equal((await failure(app.upload({ postId }, await picture()))).code, "INVALID");

  const gone = new AbortController();
  gone.abort(new Error("the user has left"));
  await assert.rejects(app.upload({}, await picture(), undefined, gone.signal), /the user has left/);
});

test("a lost answer to addPost leads to one post", async () => {
  const watched = new Watched();
  const app = await joined(server, "cleo", { fetch: watched.fetch });
  watched.instead = async (path, init) => {
    if (!String(init.body).includes("addPost")) return undefined as never;
    watched.instead = () => undefined;
    await fetch(server.url + path, init);
    throw new TypeError("connection reset");
  };
  await app.upload({}, await picture());
  assert.deepEqual(await app.query(`{ self { postCount } }`), { self: { postCount: 1 } });
});
