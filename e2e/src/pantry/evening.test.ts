import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { createClient, type Client } from "graphql-ws";
import WebSocket from "ws";

import { type Account, signUp } from "../account.ts";
import { Server } from "../server.ts";
import * as documents from "./documents.ts";
import type { WatchSubscription } from "./generated/graphql.ts";

let server: Server;
before(async () => {
  server = await Server.start("pantry");
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

/** One user's app: typed requests, and a socket for events in a kitchen. */
class App {
  private readonly socket: Client;

  constructor(private readonly account: Account) {
    this.socket = createClient({
      url: server.url.replace(/^http/, "ws") + "/pantry/graphql",
      webSocketImpl: WebSocket,
      connectionParams: { authorization: account.accessToken },
      retryAttempts: 20,
      shouldRetry: () => true,
    });
  }

  async ask<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
    const response = await fetch(`${server.url}/pantry/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.account.accessToken}` },
      body: JSON.stringify({ query: print(document), variables }),
    });
    const { data, errors } = (await response.json()) as { data: R; errors?: { extensions: { code: string; reason?: string } }[] };
    if (errors) throw new Error(`${errors[0]!.extensions.code} ${errors[0]!.extensions.reason ?? ""}`.trim());
    return data;
  }

  /** Subscribes to the events of a group; a query on the same socket confirms that the subscription has started. */
  async watch(groupId: string): Promise<News> {
    const news = new News();
    this.socket.subscribe<WatchSubscription>(
      { query: print(documents.watch), variables: { groupId } },
      { next: ({ data }) => data && news.push(data.containerChanged), error: () => {}, complete: () => {} },
    );
    await new Promise<void>((resolve, reject) => {
      this.socket.subscribe({ query: "{ me { id } }" }, { next: () => resolve(), error: reject, complete: () => {} });
    });
    return news;
  }

  async close(): Promise<void> {
    await this.socket.dispose();
  }
}

type Change = WatchSubscription["containerChanged"];

class News {
  private readonly heard: Change[] = [];
  private waiting: ((change: Change) => void)[] = [];

  push(change: Change): void {
    const next = this.waiting.shift();
    if (next) next(change);
    else this.heard.push(change);
  }

  next(): Promise<Change> {
    const first = this.heard.shift();
    if (first) return Promise.resolve(first);
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("an evening of a household", { timeout: 60_000 }, async () => {
  const mara = new App(await signUp(server, "mara"));
  const nils = new App(await signUp(server, "nils"));

  const { createUser: user } = await mara.ask(documents.createUser, { name: "Mara" });
  assert.equal(user.groups!.items[0]!.containers.items.length, 1);
  await assert.rejects(nils.ask(documents.expiring, { withinDays: 3 }), /PRECONDITION_FAILED NOT_REGISTERED/);
  await nils.ask(documents.createUser, { name: "Nils" });

  const { createGroup: flat } = await mara.ask(documents.createGroup, { name: "The flat" });
  const { createContainer: fridge } = await mara.ask(documents.createContainer, { groupId: flat.id, name: "Fridge" });
  await assert.rejects(nils.ask(documents.addFood, { containerId: fridge.id, input: { name: "Beer" } }), /FORBIDDEN/);
  const { generateJoinLink: link } = await mara.ask(documents.invite, { groupId: flat.id });
  const { joinLinkPreview: seen } = await nils.ask(documents.preview, { code: link.code });
  assert.deepEqual(seen, { groupName: "The flat", memberCount: 1, alreadyMember: false });
  assert.equal((await nils.ask(documents.join, { code: link.code })).joinGroup.memberCount, 2);

  // Each receives the events of the other's changes.
  let news = await mara.watch(flat.id);
  const milk = (await nils.ask(documents.addFood, { containerId: fridge.id, input: { name: "Milk", quantity: "1.999", unit: "l", expiry: inDays(1) } })).addFood.food;
  assert.equal(milk.quantity, 1.99);
  assert.deepEqual(await news.next(), { kind: "FOOD_ADDED", food: { name: "Milk", quantity: 1.99 }, container: { foodCount: 1 } });

  // The process is killed, as in a power failure, and nothing is lost.
  await server.crashAndRestart();
  const before = (await mara.ask(documents.inContainer, { id: fridge.id })).container!;
  assert.deepEqual(before.foods.map((f) => [f.name, f.quantity, f.addedBy!.name]), [["Milk", 1.99, "Nils"]]);

  news = await mara.watch(flat.id);
  await nils.ask(documents.addFood, { containerId: fridge.id, input: { name: "Eggs", quantity: 10, expiry: inDays(20) } });
  assert.equal((await news.next()).food!.name, "Eggs");
  await Promise.all([
    mara.ask(documents.adjust, { containerId: fridge.id, foodId: milk.id, delta: -0.5 }),
    nils.ask(documents.adjust, { containerId: fridge.id, foodId: milk.id, delta: "-0.25" }),
  ]);
  await assert.rejects(mara.ask(documents.adjust, { containerId: fridge.id, foodId: milk.id, delta: -5 }), /QUANTITY_TOO_LOW/);

  const { container } = await nils.ask(documents.inContainer, { id: fridge.id });
  assert.deepEqual(container!.foods.map((f) => [f.name, f.quantity]), [["Eggs", 10], ["Milk", 1.24]]);
  const { expiringFoods } = await nils.ask(documents.expiring, { withinDays: 3 });
  assert.deepEqual(expiringFoods.items.map((i) => [i.food.name, i.group.name]), [["Milk", "The flat"]]);
  await mara.close();
  await nils.close();
});
