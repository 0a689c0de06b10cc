import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { createClient, type Client } from "graphql-ws";
import WebSocket from "ws";

import { Server } from "../server.ts";
import * as documents from "./documents.ts";

let server: Server;
before(async () => {
  process.env.STOA_OPERATORS = "oz@example.com";
  server = await Server.start("communities");
});
after(async () => {
  delete process.env.STOA_OPERATORS;
  assert.equal(await server.stop(), 0);
});

/** A list of received events that can be awaited. */
class Heard<T> {
  private readonly heard: T[] = [];
  private waiting: ((one: T) => void)[] = [];

  push(one: T): void {
    const next = this.waiting.shift();
    if (next) next(one);
    else this.heard.push(one);
  }

  next(): Promise<T> {
    const first = this.heard.shift();
    if (first) return Promise.resolve(first);
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** One user's browser: typed requests, and a socket for events. */
class Browser {
  private constructor(
    readonly id: string,
    private readonly token: string,
    private readonly socket: Client,
  ) {}

  static async register(username: string): Promise<Browser> {
    const { register } = await request(documents.register, {
      input: {
        username,
        name: username,
        email: `${username}@example.com`,
        password: "correct horse",
        location: { city: "Trenton", state: "New Jersey", country: "USA" },
      },
    });
    const socket = createClient({
      url: server.url.replace(/^http/, "ws") + "/communities/graphql",
      webSocketImpl: WebSocket,
      connectionParams: { authorization: register.accessToken },
      retryAttempts: 20,
      shouldRetry: () => true,
    });
    return new Browser(register.user.id, register.accessToken, socket);
  }

  ask<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
    return request(document, variables, this.token);
  }

  /** Collects the events of a subscription; a query on the same socket confirms that it has started. */
  async listen<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V): Promise<Heard<R>> {
    const heard = new Heard<R>();
    this.socket.subscribe<R>({ query: print(document), variables }, { next: ({ data }) => data && heard.push(data), error: () => {}, complete: () => {} });
    await new Promise<void>((resolve, reject) => {
      this.socket.subscribe({ query: "{ me { id } }" }, { next: () => resolve(), error: reject, complete: () => {} });
    });
    return heard;
  }

  async close(): Promise<void> {
    await this.socket.dispose();
  }
}

async function request<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V, token?: string): Promise<R> {
  const response = await fetch(`${server.url}/communities/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: R; errors?: { extensions: { code: string; reason?: string } }[] };
  if (errors) throw new Error(`${errors[0]!.extensions.code} ${errors[0]!.extensions.reason ?? ""}`.trim());
  return data;
}

test("a conversation", { timeout: 60_000 }, async () => {
  const oz = await Browser.register("oz");
  const mara = await Browser.register("mara");
  const nils = await Browser.register("nils");

  const location = { city: "Trenton", state: "New Jersey", country: "USA" };
  const { createCommunity: community } = await mara.ask(documents.createCommunity, { input: { name: "Calm", description: "We listen.", topic: "ANXIETY", location } });
  await nils.ask(documents.joinCommunity, { id: community.id });
  const { createGroupChat: chat } = await mara.ask(documents.createGroupChat, { communityId: community.id, input: { name: "Tuesday", description: "A circle.", private: true } });
  const chatId = chat.id;

  // A request is sent and accepted, with events.
  const asked = await mara.listen(documents.requestsChanged, { chatId });
  const answered = await nils.listen(documents.requestsChanged, {});
  const { requestToJoin: wish } = await nils.ask(documents.requestToJoin, { chatId, note: "May I?" });
  assert.deepEqual((await asked.next()).chatRequestChanged, { id: wish.id, status: "PENDING" });
  assert.equal((await answered.next()).chatRequestChanged.status, "PENDING");
  const { acceptChatRequest: accepted } = await mara.ask(documents.acceptChatRequest, { id: wish.id });
  assert.deepEqual(accepted, { status: "ACCEPTED", chat: { numMembers: 2 } });
  assert.equal((await answered.next()).chatRequestChanged.status, "ACCEPTED");

  // They talk and react.
  const heard = await nils.listen(documents.chatEvents, { chatId });
  const { sendMessage: hello } = await mara.ask(documents.sendMessage, { chatId, content: "Welcome.", clientId: "1" });
  assert.deepEqual((await heard.next()).chatEvents, { type: "MESSAGE_CREATED", user: { username: "mara" }, message: { content: "Welcome." } });
  await nils.ask(documents.react, { chatId, id: hello.id, type: "HEART" });
  assert.equal((await heard.next()).chatEvents.type, "REACTION_SET");
  assert.equal((await nils.ask(documents.myChats, {})).myGroupChats.items[0]!.unreadCount, 1);
  assert.equal((await nils.ask(documents.markRead, { chatId, ids: [hello.id] })).markMessagesRead, 1);

  // Nothing is lost or duplicated in a crash.
  await server.crashAndRestart();
  const { sendMessage: again } = await mara.ask(documents.sendMessage, { chatId, content: "Welcome.", clientId: "1" });
  assert.equal(again.id, hello.id);
  await nils.ask(documents.sendMessage, { chatId, content: "Thank you.", replyToId: hello.id });
  assert.deepEqual((await mara.ask(documents.messages, { chatId })).messages.items, [
    { content: "Welcome.", read: true, author: { username: "mara" }, replyTo: null, reactionCounts: [{ type: "HEART", count: 1 }] },
    { content: "Thank you.", read: false, author: { username: "nils" }, replyTo: { content: "Welcome." }, reactionCounts: [] },
  ]);
  const told = (await nils.ask(documents.myChats, {})).notifications.items.map(({ type }) => type);
  assert.deepEqual(told, ["NEW_GROUP_MESSAGE", "CHAT_REQUEST_ACCEPTED", "NEW_COMMUNITY_NEAR_YOU"]);

  // A ban takes effect at once.
  await oz.ask(documents.banUser, { userId: nils.id });
  await assert.rejects(nils.ask(documents.sendMessage, { chatId, content: "?" }), /FORBIDDEN BANNED/);
  assert.equal((await nils.ask(documents.me, {})).me.username, "nils");

  await Promise.all([oz, mara, nils].map((browser) => browser.close()));
});
