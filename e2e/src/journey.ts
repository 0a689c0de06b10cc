import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import type { Account } from "./account.ts";
import type { Server } from "./server.ts";

export interface Notification {
  type: string;
  postId: string | null;
}

export interface Heard {
  next(notification: Notification): void;
  error(error: unknown): void;
}

/** One user's app, on any SDK. */
export interface App {
  query(document: string): Promise<any>;
  mutate(document: string, variables: object): Promise<any>;
  subscribe(document: string, variables: object, heard: Heard): { unsubscribe(): void };
  close?(): void;
}

/** Events that an app receives about its own posts. */
export class Inbox {
  readonly errors: unknown[] = [];
  private readonly completed = new Set<string>();
  private wake = () => {};

  readonly heard: Heard = {
    next: (notification) => {
      if (notification.type === "POST_COMPLETED") this.completed.add(notification.postId!);
      this.wake();
    },
    error: (error) => {
      this.errors.push(error);
      this.wake();
    },
  };

  /** Reports whether an event for a post arrives in time. */
  async hearsOf(postId: string, milliseconds: number): Promise<boolean> {
    const deadline = Date.now() + milliseconds;
    while (!this.completed.has(postId) && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.completed.has(postId);
  }
}

/** Adds posts until an event arrives: a renewed subscription misses earlier events. */
export async function postUntilHeard(app: App, inbox: Inbox, documents: { addPost: string }, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const postId = randomUUID();
    const added = await app.mutate(documents.addPost, { postId, text: "Hello" }).catch(() => undefined);
    if (added && (await inbox.hearsOf(postId, 1000))) return;
    if (!added) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.fail(`nothing is heard within ${seconds} s; errors: ${JSON.stringify(inbox.errors.map(String))}`);
}

/** Waits until another subscription is running. */
export async function started(server: Server, before: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while ((await server.openSubscriptions()) <= before) {
    if (Date.now() > deadline) assert.fail("the subscription does not start within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Signs up, queries, posts and receives the event, also after a crash of the server. */
export async function journey(
  server: Server,
  account: Account,
  username: string,
  app: App,
  documents: { createUser: string; self: string; addPost: string; onNotification: string },
  resubscribes: boolean,
): Promise<void> {
  assert.equal((await app.mutate(documents.createUser, { username })).createCognitoOnlyUser.userId, account.userId);
  assert.equal((await app.query(documents.self)).self.username, username);

  const inbox = new Inbox();
  const before = await server.openSubscriptions();
  const subscription = app.subscribe(documents.onNotification, { userId: account.userId }, inbox.heard);
  await started(server, before);
  for (let i = 0; i < 3; i++) {
    const postId = randomUUID();
    assert.equal((await app.mutate(documents.addPost, { postId, text: `Post ${i}` })).addPost.postId, postId);
    assert.ok(await inbox.hearsOf(postId, 2000), `the notification of post ${i} does not arrive; errors: ${inbox.errors.map(String)}`);
  }
  assert.deepEqual(inbox.errors, []);

  await server.crashAndRestart();
  if (resubscribes) await postUntilHeard(app, inbox, documents, 60);
  assert.equal((await app.query(documents.self)).self.username, username);
  subscription.unsubscribe();
}
