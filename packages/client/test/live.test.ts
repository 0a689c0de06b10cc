import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";

import Socket, { type WebSocket, WebSocketServer } from "ws";

import { memory, type Stoa, type StoaError, type TokenStorage } from "../src/index.ts";
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

/** A socket that a test can break. */
class Breakable extends Socket {
  static latest: Breakable;

  constructor(...options: ConstructorParameters<typeof Socket>) {
    super(...options);
    Breakable.latest = this;
  }
}

test("what happens while a connection is lost arrives when it is back, without a refetch", async () => {
  const app = await joined(server, "dora", { webSocketImpl: Breakable });
  const [heard, fetched] = [new Queue<string>(), new Queue<void>()];
  let refetches = 0;
  app.subscribe<{ onNotification: { type: string; postId: string } }>(onNotification, { userId: (await app.session.userId())! }, {
    next: ({ onNotification: { type, postId } }) => type === "POST_COMPLETED" && heard.push(postId),
    refetch: () => {
      refetches++;
      fetched.push();
    },
    error: assert.ifError,
  });
  await fetched.next();
  for (let round = 0; round < 3; round++) {
    Breakable.latest.terminate();
    const missed = [post(), post()];
    for (const one of missed) await app.mutate(addPost, one);
    for (const one of missed) assert.equal(await heard.next(), one.postId);
  }
  assert.equal(refetches, 1);
  app.close();
});

test("a subscription sends the latest cursor, and refetches when it is told of a gap", async () => {
  const sinces: string[] = [];
  const other = await sockets(({ type, id, payload }, say, socket) => {
    if (type === "connection_init") say({ type: "connection_ack" });
    if (type !== "subscribe") return;
    const { since } = payload.extensions;
    sinces.push(since);
    const next = (cursor: string, more: object) => say({ id, type: "next", payload: { data: null, extensions: { cursor, ...more } } });
    if (sinces.length === 1) {
      next("c1", { gap: true });
      say({ id, type: "next", payload: { data: { tick: 1 }, extensions: { cursor: "c2" } } });
      setTimeout(() => socket.terminate(), 50);
    } else if (sinces.length === 2) {
      socket.close(4401, "Unauthorized"); // after which the subscription is started anew
    } else {
      next("c3", { gap: true });
      say({ id, type: "next", payload: { data: { tick: 2 }, extensions: { cursor: "c4" } } });
    }
  });
  const storage = memory();
  await joined(server, "gaps", { storage });
  const app = beside(other.url, storage);
  const happened = new Queue<string>();
  app.subscribe<{ tick: number }>(`subscription { tick }`, {}, {
    next: ({ tick }) => happened.push(`tick ${tick}`),
    refetch: () => happened.push("refetch"),
    error: assert.ifError,
  });
  const heard = [await happened.next(), await happened.next(), await happened.next(), await happened.next()];
  assert.deepEqual(heard.slice(0, 2).sort(), ["refetch", "tick 1"]);
  assert.deepEqual(heard.slice(2).sort(), ["refetch", "tick 2"]);
  assert.deepEqual(sinces, ["", "c2", "c2"]);
  app.close();
  other.close();
});

test("an event that the server could not read is an error, and a reason to refetch", async () => {
  const other = await sockets(({ type, id }, say) => {
    if (type === "connection_init") say({ type: "connection_ack" });
    if (type === "ping") say({ type: "pong" });
    if (type !== "subscribe") return;
    const next = (payload: object) => say({ id, type: "next", payload });
    next({ data: { tick: 1 }, extensions: { cursor: "c1" } });
    next({ data: { tick: null }, errors: [{ message: "ServerError", extensions: { code: "INTERNAL" } }], extensions: { gap: true, cursor: "c2" } });
  });
  const storage = memory();
  await joined(server, "unread", { storage });
  const app = beside(other.url, storage);
  const happened = new Queue<string>();
  app.subscribe<{ tick: number }>(`subscription { tick }`, {}, {
    next: ({ tick }) => happened.push(`tick ${tick}`),
    refetch: () => happened.push("refetch"),
    error: ({ code }) => happened.push(code),
  });
  assert.deepEqual([await happened.next(), await happened.next(), await happened.next()].sort(), ["INTERNAL", "refetch", "tick 1"]);
  app.close();
  other.close();
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

/** Starts a server of sockets that calls what it is told with each message. */
async function sockets(heard: (message: any, say: (message: object) => void, socket: WebSocket) => void): Promise<{ url: string; close(): void }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (socket) => {
    const say = (message: object) => socket.send(JSON.stringify(message));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "ping") say({ type: "pong", payload: message.payload });
      heard(message, say, socket);
    });
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** An app whose requests go to the real server, and whose socket to another. */
function beside(url: string, storage: TokenStorage): Stoa {
  return open({ url }, { storage, fetch: (asked, init) => fetch(String(asked).replace(url, server.url), init) });
}

for (const code of [4401, 4403]) {
  test(`a token that expires on the socket (${code}) is renewed, and the subscription goes on`, async () => {
    const storage = memory();
    const account = await joined(server, `expires${code}`, { storage });
    const tokens: string[] = [];
    const other = await sockets(({ type, id, payload }, say, socket) => {
      if (type === "connection_init") {
        tokens.push(payload.authorization);
        if (code === 4403 && tokens.length === 1) socket.close(4403, "Forbidden");
        else say({ type: "connection_ack" });
      }
      if (type === "subscribe" && tokens.length === 1) socket.close(4401, "Unauthorized");
      else if (type === "subscribe") say({ id, type: "next", payload: { data: { tick: tokens.length } } });
    });
    const app = beside(other.url, storage);
    const ticks = new Queue<{ tick: number }>();
    app.subscribe<{ tick: number }>(`subscription { tick }`, {}, { next: ticks.push, error: assert.ifError });
    assert.deepEqual(await ticks.next(), { tick: 2 });
    assert.notEqual(tokens[1], tokens[0]);
    assert.equal(await account.session.token(), tokens[1]);
    app.close();
    other.close();
  });
}

test("each of many subscriptions refetches after it has been renewed itself", { timeout: 30_000 }, async () => {
  const storage = memory();
  await joined(server, "many", { storage });
  const names = ["a", "b", "c", "d", "e"];
  const starts = new Map<string, number>();
  const other = await sockets(({ type, payload }, say, socket) => {
    if (type === "connection_init") say({ type: "connection_ack" });
    if (type !== "subscribe") return;
    starts.set(payload.query, (starts.get(payload.query) ?? 0) + 1);
    if ([...starts.values()].join() === names.map(() => 1).join()) socket.close(4401, "Unauthorized");
  });
  const app = beside(other.url, storage);
  await Promise.all(names.map((name) => new Promise<void>((resolve) => {
    const refetch = () => starts.get(name) === 2 && resolve();
    app.subscribe(name, {}, { next: assert.fail, refetch, error: assert.ifError });
  })));
  app.close();
  other.close();
});
