import { act, say } from "../act.ts";
import { Block, Face, graphql, PostView } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useLive } from "../live.ts";
import { useMe } from "../me.ts";
import { Post } from "../post.tsx";
import { Link } from "../router.tsx";
import { Avatar, Busy, FollowButton, Head, Menu, More } from "../ui.tsx";

const Profile = graphql(`
  query Profile($userId: ID!) {
    user(userId: $userId) {
      ...Face bio privacyStatus blockedStatus postCount followersCount followedsCount
      directChat { chatId }
    }
  }
`, [Face]);
const Posts = graphql(`
  query Posts($userId: ID!, $nextToken: String) {
    user(userId: $userId) { userId posts(limit: 12, nextToken: $nextToken) { items { ...PostView } nextToken } }
  }
`, [PostView]);
const Unblock = graphql(`mutation Unblock($userId: ID!) { unblockUser(userId: $userId) { userId blockedStatus } }`);

export function ProfileScreen({ userId }: { userId: string }) {
  const me = useMe();
  const [{ data, fetching }] = useLive(Profile, { userId }, ["feed", "cards"], ["User", "Chat"]);
  const user = data?.user;
  if (!user) return fetching ? <Busy /> : <main><Head title="Profile" back /><p className="empty">This person is not here.</p></main>;
  const mine = userId === me.userId;
  const blocked = user.blockedStatus === "BLOCKING";
  const hidden = user.privacyStatus === "PRIVATE" && !mine && user.followedStatus !== "FOLLOWING";
  return (
    <main>
      <Head title={user.username} back>
        {mine && <Link to="/settings" className="round" aria-label="Settings"><Icon name="gear" /></Link>}
        {!mine && (
          <Menu label={`What to do about ${user.username}`}>
            {blocked ? (
              <button onClick={() => void act(Unblock, { userId })}>Unblock</button>
            ) : (
              <button
                onClick={async () =>
                  confirm(`Block ${user.username}? Neither of you will see the other.`) &&
                  (await act(Block, { userId })) && say(`${user.username} is blocked.`)}
              >
                Block
              </button>
            )}
          </Menu>
        )}
      </Head>
      <section className="profile" aria-label="Profile">
        <Avatar of={user} />
        <div>
          <h2>{user.fullName || user.username}</h2>
          <p className="dim">@{user.username} {user.privacyStatus === "PRIVATE" && <><Icon name="lock" /> private</>}</p>
        </div>
        {user.bio && <p className="bio">{user.bio}</p>}
        <dl>
          {([["Posts", user.postCount], ["Followers", user.followersCount], ["Following", user.followedsCount]] as const).map(([label, count]) => (
            <div key={label}><dd>{count ?? "–"}</dd><dt>{label}</dt></div>
          ))}
        </dl>
        {mine ? (
          <Link to="/settings" className="quiet button">Edit profile</Link>
        ) : blocked ? (
          <p className="dim">You have blocked {user.username}.</p>
        ) : (
          <div className="row">
            <FollowButton of={user} />
            <Link to={user.directChat ? `/chat/${user.directChat.chatId}` : `/chat/with/${userId}`} className="quiet button">Message</Link>
          </div>
        )}
      </section>
      {hidden ? (
        <p className="empty"><Icon name="lock" /> Only followers see the posts of {user.username}.</p>
      ) : (
        <PostsPage userId={userId} nextToken={null} />
      )}
    </main>
  );
}

function PostsPage({ userId, nextToken }: { userId: string; nextToken: string | null }) {
  const [{ data }] = useLive(Posts, { userId, nextToken }, ["feed"], ["Post", "User"]);
  const page = data?.user?.posts;
  if (page && !page.items.length && !nextToken) return <p className="empty">No posts yet.</p>;
  return (
    <>
      {page?.items.map((post) => <Post key={post.postId} post={post} />)}
      {page?.nextToken && <More>{() => <PostsPage userId={userId} nextToken={page.nextToken} />}</More>}
    </>
  );
}
