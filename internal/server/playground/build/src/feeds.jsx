import { useEffect, useState } from 'react';
import { gql } from './graph.js';
import { Face } from './face.jsx';
import { sessions } from './sessions.js';

const query = `query {
  self {
    feed(limit: 12) {
      items { postId postedAt text image { url480p width height } postedBy { username } }
    }
  }
}`;

// Feeds shows the feed of each user of this tab, read again whenever changes counts one more.
export function Feeds({ users, changes, path }) {
  return (
    <section className="feeds" aria-label="Feeds">
      {users.map((user) => (
        <Feed key={user.userId} user={user} change={changes[user.userId] ?? 0} path={path} />
      ))}
    </section>
  );
}

function Feed({ user, change, path }) {
  const { userId, username } = user;
  const [posts, setPosts] = useState(null);
  useEffect(() => {
    let current = true;
    const read = async () => {
      const { data } = await gql(path, query, {}, await sessions.token(userId));
      if (current && data?.self?.feed) setPosts(data.self.feed.items);
    };
    read().catch(() => {}); // without a connection: read again when there is one
    return () => {
      current = false;
    };
  }, [userId, change, path]);
  return (
    <section className="feed" aria-label={`Feed of ${username}`}>
      <h2>
        <Face user={user} />
        Feed of {username}
      </h2>
      {posts?.length === 0 && <p className="hint">Empty until {username}, or somebody whom {username} follows, posts.</p>}
      {posts?.length > 0 && (
        <ol tabIndex={0} aria-label={`Posts in the feed of ${username}`}>
          {posts.map((post) => (
            <Post key={post.postId} post={post} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Post({ post: { text, image, postedBy, postedAt } }) {
  return (
    <li className={image ? 'card pictured' : 'card'}>
      {image && <img src={image.url480p} alt={text ?? ''} />}
      {!image && <p>{text}</p>}
      <small>
        {postedBy.username}, <time dateTime={postedAt}>{new Date(postedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</time>
      </small>
    </li>
  );
}
