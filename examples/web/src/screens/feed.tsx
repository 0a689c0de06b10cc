import { graphql, PostView } from "../api.ts";
import { useLive } from "../live.ts";
import { Post } from "../post.tsx";
import { Head, Instead, More } from "../ui.tsx";
import { Suggestions } from "./people.tsx";

const Feed = graphql(`
  query Feed($nextToken: String) {
    self { userId feed(limit: 12, nextToken: $nextToken) { items { ...PostView } nextToken } }
  }
`, [PostView]);

/** What the people one follows have posted. It moves by itself. */
export function FeedScreen() {
  return (
    <main>
      <Head title="Feed" />
      <FeedPage nextToken={null} />
    </main>
  );
}

/** One page and, once the reader gets there, the pages behind it, which stay in line if posts arrive before them. */
function FeedPage({ nextToken }: { nextToken: string | null }) {
  const [{ data, error, fetching }] = useLive(Feed, { nextToken }, ["feed"], ["Post", "User"]);
  const page = data?.self.feed;
  return (
    <>
      {page?.items.map((post) => <Post key={post.postId} post={post} />)}
      {!nextToken && (
        <Instead fetching={fetching} error={error} empty={!page?.items.length}>
          <h2>It is quiet here</h2>
          <p>Follow a few people and their posts appear, the moment they are made.</p>
          <Suggestions />
        </Instead>
      )}
      {page?.nextToken && <More>{() => <FeedPage nextToken={page.nextToken} />}</More>}
    </>
  );
}
