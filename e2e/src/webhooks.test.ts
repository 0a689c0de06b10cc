import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer, type Server as Receiver } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Webhook } from "standardwebhooks";

import { Server } from "./server.ts";

/** How long the receiver is away: WEBHOOKS_AWAY_MS=60000 for the whole minute. */
const away = Number(process.env.WEBHOOKS_AWAY_MS ?? 8000);
const secret = `whsec_${randomBytes(32).toString("base64")}`;

interface Notice {
  type: string;
  timestamp: string;
  data: Record<string, string>;
}

/** A receiver that keeps what it has verified, by id. */
class Desk {
  readonly notices = new Map<string, Notice>();
  readonly problems: string[] = [];
  private receiver?: Receiver;

  async open(port = 0): Promise<number> {
    const verifier = new Webhook(secret);
    this.receiver = createServer((request, response) => {
      const body: Buffer[] = [];
      request.on("data", (piece: Buffer) => body.push(piece));
      request.on("end", () => {
        try {
          const notice = verifier.verify(Buffer.concat(body).toString(), request.headers as Record<string, string>) as Notice;
          this.notices.set(request.headers["webhook-id"] as string, notice);
          response.writeHead(204).end();
        } catch (error) {
          this.problems.push(String(error));
          response.writeHead(400).end();
        }
      });
    });
    await new Promise<void>((resolve) => this.receiver!.listen(port, "127.0.0.1", resolve));
    return (this.receiver.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.receiver!.closeAllConnections();
    await new Promise((resolve) => this.receiver!.close(resolve));
  }

  of(type: string): Notice[] {
    return [...this.notices.values()].filter((notice) => notice.type === type);
  }
}

async function ask(server: Server, token: string, query: string): Promise<void> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: token },
    body: JSON.stringify({ query }),
  });
  const answer = (await response.json()) as { errors?: { message: string }[] };
  assert.equal(answer.errors, undefined, query);
}

async function signUp(server: Server, name: string): Promise<string> {
  const post = async (path: string): Promise<Record<string, string>> => {
    const response = await fetch(`${server.url}/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: `${name}@example.com`, password: "correct horse battery" }),
    });
    return (await response.json()) as Record<string, string>;
  };
  await post("sign-up");
  const { accessToken } = await post("sign-in");
  await ask(server, accessToken!, `mutation { createCognitoOnlyUser(username: "${name}") { userId } }`);
  return accessToken!;
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("a receiver of others verifies every notice and misses none while it is away", async () => {
  const desk = new Desk();
  const port = await desk.open();
  const hooks = JSON.stringify([
    { url: `http://127.0.0.1:${port}/hook`, secret, events: ["case.opened", "case.decided", "person.created", "post.published", "comment.added"] },
  ]);
  const server = await Server.start("social", "--webhooks", hooks, "--webhook-private", "--operators", "ozzy@example.com", "--rate-limit", "0");
  try {
    const [ana, ben] = [await signUp(server, "ana"), await signUp(server, "ben")];
    await ask(server, ana, `mutation { addPost(postId: "first", postType: TEXT_ONLY, text: "hello") { postId } }`);
    await ask(server, ben, `mutation { flagPost(postId: "first", reason: "rude") { postId } }`);
    await desk.close();
    const back = Date.now() + away;
    let posts = 1;
    while (Date.now() < back) {
      await ask(server, ana, `mutation { addPost(postId: "p${posts}", postType: TEXT_ONLY, text: "one of many") { postId } }`);
      await ask(server, ben, `mutation { addComment(commentId: "c${posts}", postId: "p${posts}", text: "so it is") { commentId } }`);
      posts++;
      await sleep(20);
    }
    await server.crashAndRestart();
    await desk.open(port);
    const until = Date.now() + 120_000;
    while (desk.of("post.published").length < posts || desk.of("comment.added").length < posts - 1) {
      assert.ok(Date.now() < until, `only ${desk.of("post.published").length} of ${posts} posts have been told`);
      await sleep(100);
    }
    assert.deepEqual(desk.problems, []);
    assert.equal(desk.of("person.created").length, 2);
    assert.equal(desk.of("case.opened").length, 1);
    assert.equal(desk.of("case.opened")[0]!.data.itemId, "first");
    assert.equal(new Set(desk.of("post.published").map((notice) => notice.data.postId)).size, posts);
  } finally {
    await server.stop();
    await desk.close();
  }
});
