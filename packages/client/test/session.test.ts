import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { after, before, test } from "node:test";

import { memory, StoaError } from "../src/index.ts";
import { expire, joined, open, Server, spoil, Watched } from "./surroundings.ts";

const self = `{ self { username } }`;

let server: Server;
before(async () => {
  process.env.STOA_CORS_ORIGINS = "https://app.example";
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

for (const [what, outdate] of [["expired", expire], ["refused", spoil]] as const) {
  test(`many requests with an ${what} token share one refresh`, async () => {
    const [watched, storage] = [new Watched(), memory()];
    const app = await joined(server, `shares${what}`, { fetch: watched.fetch, storage });
    await outdate(storage);
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.query(self)));
    assert.deepEqual(answers, Array(50).fill({ self: { username: `shares${what}` } }));
    assert.equal(watched.count("/auth/refresh"), 1);
  });
}

test("apps that share their storage do not use a refresh token twice", async () => {
  const [watched, storage] = [new Watched(), memory()];
  const app = await joined(server, "tabs", { fetch: watched.fetch, storage });
  const other = open(server, { fetch: watched.fetch, storage });
  await spoil(storage);
  const refused = (await app.session.token())!;
  const renewed = await app.session.renew(refused);
  assert.equal(await other.session.renew(refused), renewed);
  assert.deepEqual(await other.query(self), { self: { username: "tabs" } });
  assert.equal(watched.count("/auth/refresh"), 1);
});

test("a session that the server has ended is told once", async () => {
  const storage = memory();
  let told = 0;
  const app = await joined(server, "ended", { storage, onSignedOut: () => told++ });
  const { refreshToken } = JSON.parse((await storage.load())!);
  const headers = { "content-type": "application/json" };
  await fetch(`${server.url}/auth/sign-out`, { method: "POST", headers, body: JSON.stringify({ refreshToken }) });
  await expire(storage);
  const results = await Promise.allSettled([app.query(self), app.query(self), app.query(self)]);
  for (const result of results) assert.equal(result.status === "rejected" && result.reason.code, "UNAUTHENTICATED");
  assert.equal(told, 1);
  assert.equal(await app.session.userId(), undefined);
});

test("a refresh without an answer keeps the session", async () => {
  const [watched, storage] = [new Watched(), memory()];
  const app = await joined(server, "keeps", { fetch: watched.fetch, storage });
  await expire(storage);
  watched.instead = () => Promise.reject(new TypeError("offline"));
  await assert.rejects(app.query(self), { code: "NETWORK" });
  watched.instead = () => undefined;
  assert.deepEqual(await app.query(self), { self: { username: "keeps" } });
});

test("accounts: anonymous, sign-out, a wrong password, a forgotten one", async () => {
  const app = open(server);
  const userId = await app.session.signInAnonymously();
  assert.equal(await app.session.userId(), userId);
  await app.session.signOut();
  assert.equal(await app.session.token(), undefined);

  const account = { email: "resets@example.com", password: "the first password" };
  const created = await app.session.signUp(account);
  await assert.rejects(app.session.signIn({ ...account, password: "wrong" }), { name: "StoaError", code: "UNAUTHENTICATED" });
  await app.session.forgot({ email: account.email });
  const outbox = JSON.stringify(await (await fetch(`${server.url}/auth/dev/outbox?userId=${created.userId}`)).json());
  const code = /\b\d{6}\b/.exec(outbox)?.[0];
  assert.ok(code, outbox);
  await app.session.reset({ email: account.email }, code, "the second password");
  assert.equal(await app.session.signIn({ email: account.email, password: "the second password" }), created.userId);
});

test("tokens of another issuer are asked for again once they are refused", async () => {
  const ana = await joined(server, "foreign");
  const token = (await ana.session.token())!;
  const asked: (string | undefined)[] = [];
  let signedOut = 0;
  let good = true;
  const app = open(server, {
    tokens: async (refused) => {
      asked.push(refused);
      return refused && good ? token : "stale";
    },
    onSignedOut: () => signedOut++,
  });
  assert.deepEqual(await app.query(`{ self { username } }`), { self: { username: "foreign" } });
  assert.deepEqual(asked, [undefined, "stale"]);
  good = false;
  await assert.rejects(app.query(`{ self { username } }`), { name: "StoaError", code: "UNAUTHENTICATED" });
  assert.equal(signedOut, 1);
  assert.equal(await open(server, { tokens: async () => token }).session.userId(), await ana.session.userId());
});

test("what is sent by default is allowed to pages of other origins", async () => {
  const watched = new Watched();
  await joined(server, "origins", { fetch: watched.fetch });
  const asked = request(`${server.url}/graphql`, {
    method: "OPTIONS", headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  }).end();
  const [preflight] = (await once(asked, "response")) as [IncomingMessage];
  preflight.resume();
  const allowed = new Set(preflight.headers["access-control-allow-headers"]!.split(/, */));
  for (const name of watched.headers) assert.ok(allowed.has(name), `${name} is not among ${[...allowed]}`);
});

test("a lost answer: queries are asked again, mutations with an Idempotency-Key unless that is turned off", async () => {
  const watched = new Watched();
  const app = await joined(server, "loses", { fetch: watched.fetch, idempotencyKeys: false });
  const careful = open(server, { fetch: watched.fetch });
  await careful.session.signIn({ email: "loses@example.com", password: "password of loses" });
  const keys: (string | null)[] = [];
  const loseNext = () => {
    let lost = false;
    keys.length = 0;
    watched.instead = async (path, init) => {
      keys.push(new Headers(init.headers).get("idempotency-key"));
      if (lost) return undefined as never;
      lost = true;
      await fetch(server.url + path, init); // the server has done it, and the answer is lost
      throw new TypeError("connection reset");
    };
  };
  const edit = `mutation { setUserDetails(bio: "Hello") { bio } }`;

  loseNext();
  assert.deepEqual(await app.query(self), { self: { username: "loses" } });
  assert.deepEqual(keys, [null, null]);

  loseNext();
  await assert.rejects(app.mutate(edit), (error) => error instanceof StoaError && error.code === "NETWORK");
  assert.deepEqual(keys, [null]);

  loseNext();
  assert.deepEqual(await careful.mutate(edit), { setUserDetails: { bio: "Hello" } });
  assert.match(keys[0]!, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(keys[1], keys[0]);

  // Done twice, it would be refused.
  loseNext();
  const post = `mutation { addPost(postId: "a61cb9f0-2b5c-4a2e-9d3f-0c6a5b1f7e10", postType: TEXT_ONLY, text: "once") { text } }`;
  assert.deepEqual(await careful.mutate(post), { addPost: { text: "once" } });
});
