import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";

import { WebSocketServer } from "ws";

import { memory, type StoaError } from "../src/index.ts";
import { joined, open, Queue, Server, Watched } from "./surroundings.ts";

const onNotification = `subscription($userId: ID!) { onNotification(userId: $userId) { type postId } }`;
const addPost = `mutation($postId: ID!) { addPost(postId: $postId, postType: TEXT_ONLY, text: "Hello") { postId } }`;
const count = `{ self { postCount } }`;

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

const post = () => ({ postId: crypto.randomUUID() });

test("a subscription refetches once it has started, and again after a crash, and misses nothing", async () => {
  const app = await joined(server, "ana");
  const [heard, fetched] = [new Queue<string>(), new Queue<number>()];
  const userId = (await app.session.userId())!;
  const stop = app.subscribe<{ onNotification: { type: string; postId: string } }>(onNotification, { userId }, {
    next: ({ onNotification: { type, postId } }) => type === "POST_COMPLETED" && heard.push(postId),
    refetch: async () => fetched.push((await app.query<{ self: { postCount: number } }>(count)).self.postCount),
    error: assert.ifError,
  });

  assert.equal(await fetched.next(), 0);
  const first = post();
  await app.mutate(addPost, first);
  assert.equal(await heard.next(), first.postId);

  await server.crashAndRestart();
  assert.equal(await fetched.next(), 1);
  const second = post();
  await app.mutate(addPost, second); // after the refetch, so it arrives as an event
  assert.equal(await heard.next(), second.postId);

  // A subscription on a socket that is open already.
  const late = new Queue<void>();
  const stopLate = app.subscribe(onNotification, { userId }, { next: () => {}, refetch: () => late.push() });
  await late.next();
  assert.equal(await server.openSubscriptions(), 2);
  stop();
  stopLate();
  app.close();
});

test("a refetch that gets no answer is repeated, one that is refused is told", async () => {
  const watched = new Watched();
  const app = await joined(server, "ben", { fetch: watched.fetch });
  const [told, done] = [new Queue<StoaError>(), new Queue<number>()];
  const lost = ["query 1", "query 2", "query 3", "query 4"]; // as often as a query is sent
  watched.instead = (path) => (path === "/graphql" && lost.pop() ? Promise.reject(new TypeError("reset")) : undefined);
  let refetches = 0;
  app.subscribe(onNotification, { userId: (await app.session.userId())! }, {
    next: () => {},
    refetch: async () => {
      refetches++;
      await app.query(count);
      done.push(refetches);
      throw new Error("the screen is gone");
    },
    error: told.push,
  });
  assert.equal(await done.next(), 2);
  assert.equal((await told.next()).message, "the screen is gone");
  app.close();
});

test("a refused subscription ends with its error, and so does one that nobody is signed in for", async () => {
  const app = await joined(server, "cleo");
  const told = new Queue<StoaError>();
  app.subscribe(onNotification, { userId: "somebody else" }, { next: assert.fail, error: told.push });
  assert.equal((await told.next()).code, "FORBIDDEN");
  app.subscribe(`subscription { nope }`, {}, { next: assert.fail, error: told.push });
  assert.equal((await told.next()).code, "GRAPHQL_VALIDATION_FAILED");
  app.close();
  open(server).subscribe(onNotification, { userId: "anybody" }, { next: assert.fail, error: told.push });
  assert.equal((await told.next()).code, "UNAUTHENTICATED");
});

for (const code of [4401, 4403]) {
  test(`a token that expires on the socket (${code}) is renewed, and the subscription goes on`, async () => {
    const storage = memory();
    const account = await joined(server, `expires${code}`, { storage });
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(sockets, "listening");
    const tokens: string[] = [];
    sockets.on("connection", (socket) =>
      socket.on("message", (data) => {
        const { type, id, payload } = JSON.parse(String(data));
        const say = (message: object) => socket.send(JSON.stringify(message));
        if (type === "connection_init") {
          tokens.push(payload.authorization);
          if (code === 4403 && tokens.length === 1) socket.close(4403, "Forbidden");
          else say({ type: "connection_ack" });
        }
        if (type === "ping") say({ type: "pong", payload });
        if (type === "subscribe" && code === 4401 && tokens.length === 1) socket.close(4401, "Unauthorized");
        else if (type === "subscribe") say({ id, type: "next", payload: { data: { tick: tokens.length } } });
      }),
    );
    const { port } = sockets.address() as { port: number };
    const app = open({ url: `http://127.0.0.1:${port}` }, {
      storage, // identity is answered by the real server
      fetch: (url, init) => fetch(String(url).replace(/^http:..127.0.0.1:\d+/, server.url), init),
    });
    const ticks = new Queue<{ tick: number }>();
    app.subscribe<{ tick: number }>(`subscription { tick }`, {}, { next: ticks.push, error: assert.ifError });
    assert.deepEqual(await ticks.next(), { tick: 2 });
    assert.notEqual(tokens[1], tokens[0]);
    assert.equal(await account.session.token(), tokens[1]);
    app.close();
    sockets.close();
  });
}
