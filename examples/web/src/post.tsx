import { act, say } from "./act.ts";
import { Block, graphql, type PostView } from "./api.ts";
import { Icon } from "./icons.tsx";
import { useMe } from "./me.ts";
import { Link } from "./router.tsx";
import { Ago, Avatar, Menu, Text } from "./ui.tsx";

const Like = graphql(`mutation Like($postId: ID!) { onymouslyLikePost(postId: $postId) { postId likeStatus } }`);
const Dislike = graphql(`mutation Dislike($postId: ID!) { dislikePost(postId: $postId) { postId likeStatus } }`);
const Report = graphql(`mutation Report($postId: ID!) { flagPost(postId: $postId) { postId flagStatus } }`);
const Delete = graphql(`mutation Delete($postId: ID!) { deletePost(postId: $postId) { postId } }`);

/** A post in a list, or on its own. */
export function Post({ post, large }: { post: PostView; large?: boolean }) {
  const { postId, postedBy, image } = post;
  const mine = useMe().userId === postedBy.userId;
  const path = `/user/${postedBy.userId}/post/${postId}`;
  const liked = post.likeStatus !== "NOT_LIKED";
  // Only owners are told how many like their posts.
  const likes = (post.onymousLikeCount ?? 0) + (post.anonymousLikeCount ?? 0);
  const color = image?.colors?.[0];
  const picture = image && (
    <img
      className="picture"
      src={large ? image.url1080p : image.url480p}
      srcSet={`${image.url480p} 480w, ${image.url1080p} 1080w`}
      sizes="(max-width: 640px) 100vw, 600px"
      width={image.width ?? undefined}
      height={image.height ?? undefined}
      loading="lazy"
      style={{ background: color ? `rgb(${color.r} ${color.g} ${color.b})` : undefined }}
      alt={post.text ? `Picture: ${post.text}` : `Picture by ${postedBy.username}`}
    />
  );
  return (
    <article className="post" aria-label={`Post by ${postedBy.username}`}>
      <header>
        <Link to={`/user/${postedBy.userId}`} className="who">
          <Avatar of={postedBy} />
          <span><strong>{postedBy.fullName || postedBy.username}</strong><small>@{postedBy.username} · <Ago at={post.postedAt} /></small></span>
        </Link>
        <Menu label="What to do with this post">
          {mine && <button onClick={() => confirm("Delete this post?") && void act(Delete, { postId })}>Delete</button>}
          {!mine && (
            <button
              disabled={post.flagStatus === "FLAGGED"}
              onClick={async () => (await act(Report, { postId })) && say("Thank you. Moderators will look at this post.")}
            >
              {post.flagStatus === "FLAGGED" ? "Reported" : "Report"}
            </button>
          )}
          {!mine && (
            <button
              onClick={async () =>
                confirm(`Block ${postedBy.username}? Neither of you will see the other.`) &&
                (await act(Block, { userId: postedBy.userId })) && say(`${postedBy.username} is blocked.`)}
            >
              Block {postedBy.username}
            </button>
          )}
        </Menu>
      </header>
      {picture && (large ? picture : <Link to={path} className="frame">{picture}</Link>)}
      {post.text && <p className={image ? "text" : "text alone"}><Text text={post.text} tags={post.textTaggedUsers} /></p>}
      <footer>
        <button
          className="flat" aria-pressed={liked} aria-label={likes ? `Like, ${likes}` : "Like"}
          onClick={() => void (liked ? act(Dislike, { postId }) : act(Like, { postId }))}
        >
          <Icon name="heart" /> {likes || ""}
        </button>
        {!post.commentsDisabled && (
          <Link to={path} className="flat" aria-label={`Comments, ${post.commentsCount ?? 0}`}><Icon name="comment" /> {post.commentsCount || ""}</Link>
        )}
      </footer>
    </article>
  );
}
