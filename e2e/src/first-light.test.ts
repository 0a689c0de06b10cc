import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import type { ApolloClient } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";

import { type Account, signUp } from "./account.ts";
import { open } from "./client.ts";
import {
  AcceptFollower, AddComment, AddTextPost, CreateUser, Feed, Follow, LikePost, PostWithComments, SetPrivacy,
} from "./documents.ts";
import { Inbox } from "./inbox.ts";
import { Server } from "./server.ts";

interface Person {
  account: Account;
  client: ApolloClient;
}

let server: Server;
const closers: (() => void)[] = [];

before(async () => {
  server = await Server.start();
});

after(async () => {
  for (const close of closers) close();
  assert.equal(await server.stop(), 0, "SIGTERM ends the server in good order");
});

async function join(username: string): Promise<Person> {
  const account = await signUp(server, username);
  const { client, close } = open(server, account);
  closers.push(close);
  const { data } = await client.mutate({ mutation: CreateUser, variables: { username, fullName: `${username} of Stoa` } });
  assert.equal(data?.createCognitoOnlyUser?.userId, account.userId);
  assert.equal(data?.createCognitoOnlyUser?.email, `${username}@example.com`);
  return { account, client };
}

async function feedOf(person: Person) {
  const { data } = await person.client.query({ query: Feed, variables: { limit: 20 }, fetchPolicy: "network-only" });
  return data?.self.feed?.items ?? [];
}

/** Polls until the feed is as expected: its rows are written shortly after a post, not in its transaction. */
async function eventually(person: Person, posts: string[]): Promise<void> {
  const deadline = Date.now() + 2000;
  for (;;) {
    const found = (await feedOf(person)).map((post) => post.postId);
    if (found.join() === posts.join()) return;
    if (Date.now() > deadline) assert.deepEqual(found, posts);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(() => undefined, (error: unknown) => error);
  assert.ok(CombinedGraphQLErrors.is(error), `expected a refusal, got ${error}`);
  return error.errors[0]!.message;
}

test("a post reaches a follower's feed and open subscription, and outlives a crash", async () => {
  const ana = await join("ana");
  const ben = await join("ben");
  const inbox = await Inbox.open(server, ben.client, ben.account.userId);

  const followed = await ben.client.mutate({ mutation: Follow, variables: { userId: ana.account.userId } });
  assert.deepEqual(
    [followed.data?.followUser?.followedStatus, followed.data?.followUser?.followersCount],
    ["FOLLOWING", 1],
  );
  assert.equal((await inbox.next()).type, "USER_FEED_CHANGED");

  const postId = randomUUID();
  const added = await ana.client.mutate({ mutation: AddTextPost, variables: { postId, text: "Good morning @ben!" } });
  assert.equal(added.data?.addPost?.postStatus, "COMPLETED");
  assert.deepEqual(
    added.data?.addPost?.textTaggedUsers.map((t) => [t.tag, t.user.userId]),
    [["@ben", ben.account.userId]],
  );
  assert.deepEqual(
    await inbox.next().then(({ userId, type }) => ({ userId, type })),
    { userId: ben.account.userId, type: "USER_FEED_CHANGED" },
  );
  await eventually(ben, [postId]);
  await eventually(ana, [postId]);
  inbox.close();

  await ben.client.mutate({ mutation: LikePost, variables: { postId } });
  const comment = await ben.client.mutate({
    mutation: AddComment,
    variables: { commentId: randomUUID(), postId, text: "Morning!" },
  });
  assert.equal(comment.data?.addComment?.viewedStatus, "VIEWED");

  await server.crashAndRestart();

  const [post] = await feedOf(ben);
  assert.deepEqual(
    [post?.postId, post?.likeStatus, post?.commentsCount, post?.postedBy.username, post?.postedBy.followedStatus],
    [postId, "ONYMOUSLY_LIKED", 1, "ana", "FOLLOWING"],
  );
  const { data } = await ana.client.query({ query: PostWithComments, variables: { postId } });
  assert.equal(data?.post?.onymousLikeCount, 1);
  assert.deepEqual(data?.post?.onymouslyLikedBy?.items.map((u) => u.username), ["ben"]);
  assert.deepEqual(data?.post?.comments?.items.map((c) => [c.commentedBy.username, c.text]), [["ben", "Morning!"]]);
});

test("a private user's posts wait for an accepted request", async () => {
  const cleo = await join("cleo");
  const dan = await join("dan");
  await cleo.client.mutate({ mutation: SetPrivacy, variables: { privacyStatus: "PRIVATE" } });
  const postId = randomUUID();
  await cleo.client.mutate({ mutation: AddTextPost, variables: { postId, text: "For friends" } });

  const asked = await dan.client.mutate({ mutation: Follow, variables: { userId: cleo.account.userId } });
  assert.equal(asked.data?.followUser?.followedStatus, "REQUESTED");
  assert.deepEqual(await feedOf(dan), []);
  assert.match(
    await refusal(dan.client.mutate({ mutation: LikePost, variables: { postId } })),
    /^ClientError: User does not have access to post /,
  );

  const accepted = await cleo.client.mutate({ mutation: AcceptFollower, variables: { userId: dan.account.userId } });
  assert.equal(accepted.data?.acceptFollowerUser?.followerStatus, "FOLLOWING");
  await eventually(dan, [postId]);
});

test("errors carry what existing clients read", async () => {
  const eve = await join("eve");
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: eve.account.accessToken },
    body: JSON.stringify({ query: `{ self { userId feed(limit: 0) { nextToken } } }` }),
  });
  assert.equal(response.status, 200);
  const { data, errors } = (await response.json()) as { data: unknown; errors: Record<string, unknown>[] };
  assert.deepEqual(data, { self: { userId: eve.account.userId, feed: null } });
  assert.equal(errors.length, 1);
  assert.equal(errors[0]!.message, "ClientError: Limit cannot be less than 1 or greater than 100");
  assert.equal(errors[0]!.errorType, "ClientError");
  assert.deepEqual(errors[0]!.path, ["self", "feed"]);

  const forged = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: eve.account.accessToken.slice(0, -4) + "AAAA" },
    body: JSON.stringify({ query: `{ self { userId } }` }),
  });
  assert.equal(forged.status, 401);
});
