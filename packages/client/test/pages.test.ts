import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { joined, Server, Watched } from "./surroundings.ts";

interface Posts {
  self: { posts: { items: { text: string }[]; nextToken: string | null } };
}
const posts = `query($limit: Int, $nextToken: String) { self { posts(limit: $limit, nextToken: $nextToken) { items { text } nextToken } } }`;

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

test("a list is read page by page, as far as it is wanted", async () => {
  const watched = new Watched();
  const app = await joined(server, "ana", { fetch: watched.fetch });
  for (const text of ["1", "2", "3", "4", "5"]) {
    await app.mutate(`mutation($postId: ID!, $text: String) { addPost(postId: $postId, postType: TEXT_ONLY, text: $text) { postId } }`,
      { postId: crypto.randomUUID(), text });
  }
  const texts: string[] = [];
  for await (const { text } of app.items(posts, { limit: 2 }, (data: Posts) => data.self.posts)) texts.push(text);
  assert.deepEqual(texts, ["5", "4", "3", "2", "1"]);

  const sizes: number[] = [];
  for await (const page of app.pages(posts, { limit: 2 }, (data: Posts) => data.self.posts)) sizes.push(page.items.length);
  assert.deepEqual(sizes, [2, 2, 1]);

  const before = watched.count("/graphql");
  for await (const { text } of app.items(posts, { limit: 2 }, (data: Posts) => data.self.posts)) if (text === "4") break;
  assert.equal(watched.count("/graphql") - before, 1);

  for await (const _ of app.items(`{ user(userId: "nobody") { posts { items { text } nextToken } } }`, {}, (data: any) => data.user?.posts)) assert.fail();
});
