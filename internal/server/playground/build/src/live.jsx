import { useEffect, useState } from 'react';
import { createClient } from 'graphql-ws';
import { sessions } from './sessions.js';

const kept = 100;

// News waits for what every user of this tab is told, whoever is active and whatever the
// editor does meanwhile.
export function News({ users, system }) {
  const [open, setOpen] = useState(false);
  const [events, setEvents] = useState([]);
  const [state, setState] = useState({});
  const add = (event) => setEvents((all) => [event, ...all].slice(0, kept));
  const note = (userId, text) => setState((all) => ({ ...all, [userId]: text }));
  const listening = users.filter((user) => state[user.userId] === 'listening');
  return (
    <section className="news" aria-label="News">
      {open && users.map((user) => <Listener key={user.userId} system={system} user={user} onEvent={add} onState={note} />)}
      <header>
        <button type="button" className="toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <i className={open && listening.length > 0 ? 'lamp on' : 'lamp'} aria-hidden="true" />
          Wait for news
        </button>
        {open && <span role="status">{listening.length > 0 ? `of ${listening.map((user) => user.username).join(', ')}` : 'connecting'}</span>}
        {open && events.length > 0 && (
          <button type="button" className="quiet" onClick={() => setEvents([])}>
            Clear
          </button>
        )}
      </header>
      {open && (
        <ol reversed>
          {events.length === 0 && <li className="hint">Nothing yet. Act as one user: what another one is told appears here.</li>}
          {events.map((event) => (
            <li key={event.key}>
              <time>{event.at}</time>
              <b>{event.username}</b>
              <code>{event.text}</code>
            </li>
          ))}
        </ol>
      )}
    </section>
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
      on: { connected: () => onState(userId, 'listening'), closed: () => onState(userId, 'closed') },
    });
    const say = (text) => onEvent({ key: ++serial, at: new Date().toLocaleTimeString(), username, text });
    client.subscribe({ query: system.news, variables: { userId } }, {
      next: ({ data, errors }) => say(errors ? errors[0].message : told(data)),
      error: (problem) => say(problem?.[0]?.message ?? problem?.message ?? 'The connection has ended'),
      complete: () => {},
    });
    return () => {
      onState(userId, 'closed');
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
