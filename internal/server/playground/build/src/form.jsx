import { useState } from 'react';
import { sessions } from './sessions.js';
import { systems } from './systems.js';

const names = ['ana', 'ben', 'cleo', 'dario', 'edda', 'finn', 'gaia', 'hugo', 'iris', 'jonas', 'kira', 'leo', 'mila', 'nils', 'orla', 'paul'];

// A name nobody has yet, most likely, so that a first user is one click away.
function suggestion() {
  const name = names[Math.floor(Math.random() * names.length)];
  return `${name}${Math.floor(100 + Math.random() * 900)}`;
}

// AccountForm signs a user up or in. Others are the users that this tab has already.
export function AccountForm({ others = [], onDone = () => {} }) {
  const [known, setKnown] = useState(false);
  return (
    <div className="form">
      <div className="switch" role="group" aria-label="Account">
        <button type="button" aria-pressed={!known} onClick={() => setKnown(false)}>
          New user
        </button>
        <button type="button" aria-pressed={known} onClick={() => setKnown(true)}>
          Sign in
        </button>
      </div>
      {known ? <SignIn onDone={onDone} /> : <SignUp others={others} onDone={onDone} />}
    </div>
  );
}

function SignUp({ others, onDone }) {
  const [username, setUsername] = useState(suggestion);
  const [befriends, setBefriends] = useState(true);
  const { follow } = systems.active();
  const friends = follow && befriends ? others : [];
  const [email, setEmail] = useState(null);
  const address = email ?? `${username}@example.com`.toLowerCase();
  return (
    <Fields action="Sign up" submit={(password) => sessions.signUp({ username, email: address, password, friends })} onDone={onDone}>
      <Field label="Username" name="username" value={username} onChange={setUsername} autoFocus />
      <Field label="E-mail" name="email" type="email" value={address} onChange={setEmail} />
      {follow && others.length > 0 && (
        <label className="choice">
          <input type="checkbox" checked={befriends} onChange={(event) => setBefriends(event.target.checked)} />
          Follows {others.map((user) => user.username).join(', ')}, and is followed back
        </label>
      )}
    </Fields>
  );
}

function SignIn({ onDone }) {
  const [login, setLogin] = useState('');
  return (
    <Fields action="Sign in" submit={(password) => sessions.signIn({ login, password })} onDone={onDone}>
      <Field label="Username, e-mail or user id" name="login" value={login} onChange={setLogin} autoFocus />
    </Fields>
  );
}

function Fields({ action, submit, onDone, children }) {
  const [password, setPassword] = useState(action === 'Sign up' ? 'open sesame' : '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await submit(password);
      onDone();
    } catch (error) {
      setProblem(error.message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={send}>
      {children}
      <Field label="Password" name="password" type={action === 'Sign up' ? 'text' : 'password'} value={password} onChange={setPassword} />
      {problem && <p className="problem" role="alert">{problem}</p>}
      <button type="submit" className="primary" disabled={busy}>
        {action}
      </button>
    </form>
  );
}

function Field({ label, name, value, onChange, type = 'text', autoFocus = false }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type={type}
        value={value}
        required
        autoFocus={autoFocus}
        autoComplete="off"
        spellCheck="false"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
