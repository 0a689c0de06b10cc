import { type FormEvent, useEffect, useRef, useState } from "react";

import { act } from "../act.ts";
import { Face, graphql, PostView } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useLive } from "../live.ts";
import { useMe } from "../me.ts";
import { Post } from "../post.tsx";
import { Link } from "../router.tsx";
import { Ago, Avatar, Busy, Head, Menu, Text } from "../ui.tsx";

const OnePost = graphql(`
  query OnePost($postId: ID!) {
    post(postId: $postId) {
      ...PostView
      comments(limit: 50) { items { commentId commentedAt text flagStatus commentedBy { ...Face } textTaggedUsers { tag user { userId } } } }
    }
  }
`, [PostView, Face]);
const Comment = graphql(`
  mutation Comment($commentId: ID!, $postId: ID!, $text: String!) { addComment(commentId: $commentId, postId: $postId, text: $text) { commentId } }
`);
const DeleteComment = graphql(`mutation DeleteComment($commentId: ID!) { deleteComment(commentId: $commentId) { commentId } }`);
const ReportComment = graphql(`mutation ReportComment($commentId: ID!) { flagComment(commentId: $commentId) { commentId } }`);
const Viewed = graphql(`mutation Viewed($postId: ID!) { reportPostViews(postIds: [$postId], viewType: FOCUS) }`);

/** A post with its comments. */
export function PostScreen({ postId }: { postId: string }) {
  const me = useMe();
  const [{ data, fetching }] = useLive(OnePost, { postId }, ["cards", "feed"], ["Comment", "Post"]);
  const [text, setText] = useState("");
  const commentId = useRef(crypto.randomUUID());
  useEffect(() => void act(Viewed, { postId }), [postId]);

  const post = data?.post;
  if (!post) return fetching ? <Busy /> : <main><Head title="Post" back /><p className="empty">This post is gone, or not for you.</p></main>;
  const comments = post.comments?.items ?? [];
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await act(Comment, { commentId: commentId.current, postId, text: text.trim() }))) return;
    commentId.current = crypto.randomUUID();
    setText("");
  };
  return (
    <main>
      <Head title="Post" back />
      <Post post={post} large />
      <section aria-label="Comments">
        <ul className="comments">
          {comments.map(({ commentId, commentedAt, commentedBy, text, textTaggedUsers }) => (
            <li key={commentId}>
              <Link to={`/user/${commentedBy.userId}`} aria-label={commentedBy.username}><Avatar of={commentedBy} small /></Link>
              <p><strong>{commentedBy.username}</strong> <small><Ago at={commentedAt} /></small><br /><Text text={text} tags={textTaggedUsers} /></p>
              <Menu label={`What to do with the comment by ${commentedBy.username}`}>
                {commentedBy.userId === me.userId || post.postedBy.userId === me.userId ? (
                  <button onClick={() => void act(DeleteComment, { commentId })}>Delete</button>
                ) : (
                  <button onClick={() => void act(ReportComment, { commentId })}>Report</button>
                )}
              </Menu>
            </li>
          ))}
        </ul>
        {!comments.length && <p className="empty">No comments yet.</p>}
        {!post.commentsDisabled && (
          <form className="say" onSubmit={send}>
            <input aria-label="Comment" placeholder="Say something kind" value={text} onChange={(event) => setText(event.target.value)} />
            <button className="round primary" aria-label="Send" disabled={!text.trim()}><Icon name="send" /></button>
          </form>
        )}
      </section>
    </main>
  );
}
