import { useEffect, useState } from 'react';
import { createClient } from 'graphql-ws';
import { gql } from './graph.js';
import { Feeds } from './feeds.jsx';
import { drawing } from './pictures.jsx';
import { sessions } from './sessions.js';

const kept = 100;

// Live shows what the server tells every user of this tab, and the feeds that change by it,
// whoever is active and whatever the editor does meanwhile.
export function Live({ users, activeId, system }) {
  const [open, setOpen] = useState(true);
  const [events, setEvents] = useState([]);
  const [connected, setConnected] = useState({});
  const [changes, setChanges] = useState({});
  const count = (userId) => setChanges((all) => ({ ...all, [userId]: (all[userId] ?? 0) + 1 }));
  const add = (event) => {
    setEvents((all) => [event, ...all].slice(0, kept));
    if (event.type === 'USER_FEED_CHANGED') count(event.userId);
  };
  const note = (userId, isConnected) => {
    setConnected((all) => ({ ...all, [userId]: isConnected }));
    if (isConnected) count(userId); // events may have been missed
  };
  const listening = users.filter((user) => connected[user.userId]);
  return (
    <section className={open ? 'live open' : 'live'} aria-label="Live">
      {open && users.map((user) => <Listener key={user.userId} system={system} user={user} onEvent={add} onState={note} />)}
      <header>
        <button type="button" className="toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <i className={open && listening.length > 0 ? 'lamp on' : 'lamp'} aria-hidden="true" />
          Live
        </button>
        <span role="status">{open && (listening.length > 0 ? `for ${listening.map((user) => user.username).join(', ')}` : 'connecting')}</span>
        {open && <Post user={users.find((user) => user.userId === activeId)} path={system.path} />}
      </header>
      {open && (
        <div className="lanes">
          <News events={events} clear={() => setEvents([])} />
          <Feeds users={users} changes={changes} path={system.path} />
        </div>
      )}
    </section>
  );
}

function News({ events, clear }) {
  return (
    <section className="news" aria-label="News">
      <h2>
        News
        {events.length > 0 && (
          <button type="button" className="quiet" onClick={clear}>
            Clear
          </button>
        )}
      </h2>
      <ol reversed tabIndex={0} aria-label="Events, the newest first">
        {events.length === 0 && <li className="hint">Nothing yet. Act as one user, and see here what the others are told.</li>}
        {events.map((event) => (
          <li key={event.key}>
            <time>{event.at}</time>
            <b>{event.username}</b>
            <code>{event.text}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

const addPost = `mutation ($postId: ID!, $text: String, $imageData: String) {
  addPost(postId: $postId, postType: IMAGE, text: $text, imageInput: { imageData: $imageData }) { postId }
}`;

// Post is a button that posts a picture as the active user.
function Post({ user, path }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const post = async () => {
    setBusy(true);
    const text = `The hills at ${new Date().toLocaleTimeString()}`;
    const variables = { postId: crypto.randomUUID(), text, imageData: drawing() };
    const answer = await gql(path, addPost, variables, await sessions.token(user.userId)).catch((error) => ({ errors: [error] }));
    setProblem(answer.errors?.[0].message ?? null);
    setBusy(false);
  };
  return (
    <>
      {problem && <span className="problem" role="alert">{problem}</span>}
      <button type="button" className="post" disabled={busy} onClick={post}>
        Post a picture as {user.username}
      </button>
    </>
  );
}

let serial = 0;

// Listener is one user's subscription, on a connection of its own.
function Listener({ system, user, onEvent, onState }) {
  const { userId, username } = user;
  useEffect(() => {
    const client = createClient({
      url: location.origin.replace(/^http/, 'ws') + system.path,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      connectionParams: async () => ({ Authorization: await sessions.token(userId) }),
      on: { connected: () => onState(userId, true), closed: () => onState(userId, false) },
    });
    const say = (text, type) => onEvent({ key: ++serial, at: new Date().toLocaleTimeString(), userId, username, text, type });
    client.subscribe({ query: system.news, variables: { userId } }, {
      next: ({ data, errors }) => (errors ? say(errors[0].message) : say(told(data), Object.values(data)[0].type)),
      error: (problem) => say(problem?.[0]?.message ?? problem?.message ?? 'The connection has ended'),
      complete: () => {},
    });
    return () => {
      onState(userId, false);
      client.dispose();
    };
  }, [system, userId]);
  return null;
}

// told is the event without the fields that it leaves empty.
function told(data) {
  const [event] = Object.values(data);
  return Object.entries(event)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => (name === 'type' ? value : `${name}: ${value}`))
    .join('  ');
}
