import { useEffect, useRef, useState } from 'react';
import { sessions } from './sessions.js';
import { systems } from './systems.js';
import { Face } from './face.jsx';
import { AccountForm } from './form.jsx';

export function Bar({ users, activeId, system }) {
  return (
    <header className="bar">
      <a className="brand" href="/">
        <Mark />
        <h1 className="wordmark">stoa</h1>
      </a>
      {systems.all().length > 1 && (
        <nav className="switch systems" aria-label="Systems">
          {systems.all().map(({ name }) => (
            <button
              key={name}
              ref={name === system.name ? show : null}
              type="button"
              aria-current={name === system.name}
              onClick={() => systems.activate(name)}
            >
              {name}
            </button>
          ))}
        </nav>
      )}
      <nav className="users" aria-label="Users">
        {users.map((user) => (
          <User key={user.userId} user={user} active={user.userId === activeId} />
        ))}
        {activeId && (
          <Menu className="add" label="Add a user" content={<span aria-hidden="true">+</span>}>
            {(close) => <AccountForm others={users} onDone={close} />}
          </Menu>
        )}
      </nav>
    </header>
  );
}

// show scrolls to the active system, where not all fit.
const show = (button) => button?.scrollIntoView({ inline: 'center', block: 'nearest' });

function User({ user, active }) {
  const face = (
    <>
      <Face user={user} />
      <span>{user.username}</span>
    </>
  );
  if (!active) {
    return (
      <button type="button" className="user" onClick={() => sessions.activate(user.userId)} title={`Become ${user.username}`} aria-label={`Become ${user.username}`}>
        {face}
      </button>
    );
  }
  return (
    <Menu className="user active" label={`${user.username}, active`} content={face}>
      {(close) => <Account user={user} onDone={close} />}
    </Menu>
  );
}

function Account({ user, onDone }) {
  return (
    <div className="account">
      <p className="hint">Queries and subscriptions run as</p>
      <p className="name">{user.username}</p>
      <Copyable label="User id" text={() => user.userId} shown={user.userId} />
      <Copyable label="Token" text={() => sessions.token(user.userId)} shown="for the Authorization header" />
      <button
        type="button"
        className="quiet"
        onClick={() => {
          onDone();
          sessions.forget(user.userId);
        }}
      >
        Forget in this tab
      </button>
    </div>
  );
}

function Copyable({ label, text, shown }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await text());
    setCopied(true);
  };
  return (
    <div className="copyable">
      <span>
        {label}
        <code>{shown}</code>
      </span>
      <button type="button" className="quiet" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

// Menu is a button with a panel that closes when something else is clicked.
function Menu({ className, label, content, children }) {
  const [open, setOpen] = useState(false);
  const root = useRef(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = (event) => {
      if (event.type === 'keydown' ? event.key === 'Escape' : !root.current.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', leave);
    };
  }, [open]);
  return (
    <div className="menu" ref={root}>
      <button type="button" className={className} aria-label={label} aria-expanded={open} onClick={() => setOpen(!open)}>
        {content}
      </button>
      {open && <div className="panel">{children(() => setOpen(false))}</div>}
    </div>
  );
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2.5 22 8H2z" />
      <path d="M4 10h2.6v8H4zM10.7 10h2.6v8h-2.6zM17.4 10H20v8h-2.6zM2 19.5h20V22H2z" />
    </svg>
  );
}
