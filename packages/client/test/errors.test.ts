import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Failure, isFailure, serverCodes, type Stoa, StoaError } from "../src/index.ts";
import { joined, open, root, Server, Watched } from "./surroundings.ts";

let server: Server;
let ana: Stoa;
const watched = new Watched();
before(async () => {
  server = await Server.start();
  ana = await joined(server, "ana", { fetch: watched.fetch });
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

async function failure(attempt: Promise<unknown>): Promise<Failure> {
  const error = await attempt.then(() => assert.fail("it should fail"), (error: unknown) => error);
  assert.ok(isFailure(error), String(error));
  return error;
}

test("the codes are those of docs/errors.md", async () => {
  const page = await readFile(join(root, "docs/errors.md"), "utf8");
  const found = [...page.matchAll(/^\| (?:\d+ \| )?`([A-Z_]+)` \|/gm)].map(([, code]) => code!);
  assert.deepEqual([...serverCodes].sort(), [...new Set(found)].sort());
});

const refused: [code: string, attempt: () => Promise<unknown>][] = [
  ["INVALID", () => ana.query(`{ self { feed(limit: 0) { nextToken } } }`)],
  ["NOT_FOUND", () => ana.mutate(`mutation { deletePost(postId: "nothing") { postId } }`)],
  ["UNAUTHENTICATED", () => open(server).query(`{ self { userId } }`)],
  ["GRAPHQL_PARSE_FAILED", () => ana.query(`{ self {`)],
  ["GRAPHQL_VALIDATION_FAILED", () => ana.query(`{ nope }`)],
  ["SUBSCRIPTION_NEEDS_STREAM", () => ana.query(`subscription { onNotification(userId: "x") { type } }`)],
  ["COMPLEXITY_LIMIT_EXCEEDED", () => ana.query(`{ self { posts(limit: 100) { items { comments(limit: 100) { items { commentedBy {
    posts(limit: 100) { items { postId } } } } } } } } }`)],
  ["CONFLICT", () => ana.session.signUp({ email: "ana@example.com", password: "somebody else" })],
  ["TOO_LARGE", () => ana.query(`{ self { userId } }`, { padding: "x".repeat(3 << 20) })],
];
for (const [code, attempt] of refused) {
  test(`the server refuses with ${code}`, async () => {
    assert.equal((await failure(attempt())).code, code);
  });
}

test("each code arrives as itself, and a newer one as UNKNOWN", async () => {
  for (const code of [...serverCodes, "OF_A_NEWER_SERVER"]) {
    const expected = code === "OF_A_NEWER_SERVER" ? "UNKNOWN" : code;
    const errors = [{ message: "ClientError: no", path: ["self"], extensions: { code } }];
    watched.instead = () => Response.json({ data: { self: null }, errors });
    const error = await failure(ana.query(`{ self { userId } }`));
    assert.deepEqual([error.code, error.message, error.details.errors, error.details.data], [expected, "ClientError: no", errors, { self: null }]);
    watched.instead = () => Response.json({ error: { code, message: "no" } }, { status: 400, headers: { "retry-after": "7" } });
    const identity = await failure(ana.session.signUp({ password: "" }));
    assert.deepEqual([identity.code, identity.message, identity.details], [expected, "no", { status: 400, retryAfter: 7 }]);
  }
  for (const [status, code] of [[403, "FORBIDDEN"], [429, "RATE_LIMITED"], [500, "INTERNAL"], [421, "INVALID"]] as const) {
    watched.instead = () => new Response("a text", { status });
    const error = await failure(ana.query(`{ self { userId } }`));
    assert.deepEqual([error.code, error.message, error.details.status], [code, "a text", status]);
  }
  watched.instead = () => undefined;
});

test("a suspended user gets the token for an appeal", async () => {
  const body = { error: { code: "SUSPENDED", message: "Account is suspended: spam", appealToken: "ey.J.h" } };
  watched.instead = () => Response.json(body, { status: 403 });
  const error = await failure(ana.session.signIn({ username: "ana", password: "correct horse" }));
  watched.instead = () => undefined;
  assert.deepEqual([error.code, error.details], ["SUSPENDED", { status: 403, appealToken: "ey.J.h" }]);
});

test("the union narrows by code", () => {
  const advise = (failure: Failure): string => {
    switch (failure.code) {
      case "RATE_LIMITED":
        return `wait ${failure.details.retryAfter} s`;
      case "NETWORK":
        return "check the connection";
      default:
        failure.code satisfies Exclude<Failure["code"], "RATE_LIMITED" | "NETWORK">;
        return failure.message;
    }
  };
  assert.equal(advise(new StoaError("RATE_LIMITED", "too fast", { retryAfter: 7 }) as Failure), "wait 7 s");
});
