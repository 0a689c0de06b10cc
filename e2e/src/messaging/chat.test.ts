import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { createClient, type Client } from "graphql-ws";
import WebSocket from "ws";

import { Cluster, type Running } from "./cluster.ts";
import * as documents from "./documents.ts";

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
});
after(() => cluster.stop());

/** One user's app. It connects to one of several processes, and to the next one if that dies. */
class App {
  private socket?: Client;
  private connected?: string;

  private constructor(
    readonly id: string,
    private readonly token: string,
    private processes: Running[],
  ) {}

  static async signUp(login: string, processes: Running[]): Promise<App> {
    const { createAccount } = await request(processes[0]!.address, documents.createAccount, {
      input: { login, password: "correct horse", public: { fn: login }, tags: [`email:${login}@example.com`] },
    });
    return new App(createAccount.user.id, createAccount.token, processes);
  }

  /** Repeats a request until a process answers; an unanswered request may or may not have taken effect. */
  async ask<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
    for (;;) {
      const { address } = this.processes[0]!;
      try {
        return await request(address, document, variables, this.token);
      } catch (failure) {
        if (!(failure instanceof Unreachable)) throw failure;
        this.leave(address);
      }
    }
  }

  /** Collects the events of a subscription from any live process. */
  async listen<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V, hear: (heard: R) => void): Promise<void> {
    this.socket ??= createClient({
      url: () => {
        this.connected = this.processes[0]!.address;
        return this.connected.replace(/^http/, "ws") + "/messaging/graphql";
      },
      webSocketImpl: WebSocket,
      connectionParams: { authorization: this.token },
      retryAttempts: 100,
      retryWait: async () => {
        if (this.connected) this.leave(this.connected);
        await new Promise((resolve) => setTimeout(resolve, 50));
      },
      shouldRetry: () => true,
    });
    this.socket.subscribe<R>({ query: print(document), variables }, { next: ({ data }) => data && hear(data), error: () => {}, complete: () => {} });
    await new Promise<void>((resolve, reject) => {
      this.socket!.subscribe({ query: "{ me { id } }" }, { next: () => resolve(), error: reject, complete: () => {} });
    });
  }

  /** Switches to the next process, if there is one, unless that has already happened. */
  private leave(address: string): void {
    if (this.processes.length > 1 && this.processes[0]!.address === address) this.processes = this.processes.slice(1);
  }

  async close(): Promise<void> {
    await this.socket?.dispose();
  }
}

class Unreachable extends Error {}

async function request<R, V extends Record<string, unknown>>(at: string, document: TypedDocumentNode<R, V>, variables: V, token?: string): Promise<R> {
  const response = await fetch(`${at}/messaging/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ query: print(document), variables }),
  }).catch(() => {
    throw new Unreachable();
  });
  const { data, errors } = (await response.json().catch(() => {
    throw new Unreachable();
  })) as { data: R; errors?: { message: string; extensions: { code: string; reason?: string } }[] };
  if (errors) throw new Error(`${errors[0]!.extensions.code} ${errors[0]!.extensions.reason ?? ""}: ${errors[0]!.message}`);
  return data;
}

async function until(what: string, seconds: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ; ) {
    if (await holds()) return;
    assert.ok(Date.now() < end, `${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test("a chat through two processes, one of which dies", { timeout: 180_000 }, async () => {
  const [one, two] = [await cluster.join(), await cluster.join()];
  const ana = await App.signUp("anabel", [one, two]);
  const ben = await App.signUp("benedict", [two]);
  const cleo = await App.signUp("cleopatra", [one]);

  const { findContacts: found } = await ana.ask(documents.findContacts, { query: "benedict@example.com" });
  assert.deepEqual(found, [{ user: { id: ben.id, public: { fn: "benedict" } }, matchedTags: ["email:benedict@example.com"] }]);
  const { startChat: topic } = await ana.ask(documents.startChat, { userId: ben.id });
  assert.equal((await ben.ask(documents.startChat, { userId: ana.id })).startChat.id, topic.id);
  await cleo.ask(documents.startChat, { userId: ben.id });

  // Ben receives from one process the events of the other.
  const told: number[] = [];
  const came: string[] = [];
  await ben.listen(documents.topicEvents, { topicId: topic.id }, ({ topicEvents: e }) => {
    if (e.kind === "MESSAGE") told.push(e.seqId!);
  });
  await ben.listen(documents.myEvents, {}, ({ myEvents: e }) => {
    if (e.kind === "ONLINE" || e.kind === "OFFLINE") came.push(`${e.kind} ${e.user!.id}`);
  });
  await ana.listen(documents.myEvents, {}, () => {});
  await cleo.listen(documents.myEvents, {}, () => {});
  await until("ana and cleo are there", 10, () => came.includes(`ONLINE ${ana.id}`) && came.includes(`ONLINE ${cleo.id}`));

  // Both publish while one of their processes dies.
  const answered: number[] = [];
  const write = async (app: App, name: string, times: number) => {
    for (let i = 0; i < times; i++) {
      const { publish } = await app.ask(documents.publish, { topicId: topic.id, content: `${name} ${i}` });
      answered.push(publish.seqId);
    }
  };
  const writing = Promise.all([write(ana, "ana", 150), write(ben, "ben", 150)]);
  await until("some messages", 20, () => answered.length > 60);
  await one.end("SIGKILL");
  const died = Date.now();
  await writing;

  // Each number was assigned once, and every acknowledged message exists.
  assert.equal(new Set(answered).size, answered.length, "a number was given twice");
  const stored = new Map<number, unknown>();
  for (let nextToken: string | null | undefined; nextToken !== null; ) {
    const { messages: page } = await ben.ask(documents.messages, { topicId: topic.id, nextToken });
    for (const m of page.items) stored.set(m.seqId, m.content);
    nextToken = page.nextToken ?? null;
  }
  assert.deepEqual([...stored.keys()], Array.from(stored, (_, i) => i + 1), "numbers have holes");
  assert.ok(answered.every((seq) => stored.has(seq)), "a message is lost");
  assert.ok(stored.size - answered.length <= 1, "more is stored than what was on its way when the process died");
  await until("ben has heard what was answered", 30, () => answered.every((seq) => told.includes(seq)));
  const { note } = await ben.ask(documents.note, { topicId: topic.id, seqId: stored.size });
  assert.deepEqual(note, { readSeqId: stored.size, unread: 0 });

  // Ana's app has switched to the other process; cleo's has no other.
  await until("ana is there again", 60, async () => (await ben.ask(documents.user, { id: ana.id })).user!.online);
  await until("cleo has gone", 60 - (Date.now() - died) / 1000, async () => !(await ben.ask(documents.user, { id: cleo.id })).user!.online);
  await until("ben hears that cleo has gone", 75 - (Date.now() - died) / 1000, () => came.includes(`OFFLINE ${cleo.id}`));
  assert.ok(!came.includes(`OFFLINE ${ana.id}`), "ana was never away");
  await ana.close();
  await until("ana has gone", 20, () => came.includes(`OFFLINE ${ana.id}`));
  await ben.close();
  await cleo.close();
});
