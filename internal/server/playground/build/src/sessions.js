// The users that this browser tab is signed in as. They live in the tab's own
// storage, so that two tabs can be two users who watch each other.
import { gql } from './graph.js';
import { systems } from './systems.js';

const key = 'stoa.sessions';
const listeners = new Set();
let state = load();

function load() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key));
    if (Array.isArray(stored?.users)) return stored;
  } catch {
    // Whatever is there was not written by this page: start afresh.
  }
  return { users: [], activeId: null };
}

function update(next) {
  state = next;
  sessionStorage.setItem(key, JSON.stringify(state));
  for (const listener of listeners) listener();
}

export const sessions = {
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => state,

  activate(userId) {
    update({ ...state, activeId: userId });
  },

  forget(userId) {
    const users = state.users.filter((user) => user.userId !== userId);
    const activeId = state.activeId === userId ? (users[0]?.userId ?? null) : state.activeId;
    update({ users, activeId });
  },

  // Friends are users of this tab who follow the new one, and whom the new one follows.
  async signUp({ username, email, password, friends = [] }) {
    await post('/auth/sign-up', { email, password });
    const tokens = await post('/auth/sign-in', { email, password });
    const own = await enterOwn('register', { username, email, password });
    // An identity comes without a profile; most of each graph needs one.
    for (const system of systems.all()) await createProfile(system, tokens, username);
    for (const friend of friends) {
      await follow(tokens.accessToken, friend.userId);
      await follow(await sessions.token(friend.userId), claims(tokens.accessToken).sub);
    }
    return remember(tokens, username, { own });
  },

  async signIn({ login, password }) {
    const name = login.includes('@') ? 'email' : login.includes(':') ? 'userId' : 'username';
    const own = await enterOwn('login', { login, password });
    const alone = Object.values(own)[0];
    const tokens = await post('/auth/sign-in', { [name]: login, password }).catch((error) => {
      if (!alone) throw error;
      return alone; // somebody with an account in a system of its own alone
    });
    const social = systems.named('social');
    const found = social && tokens !== alone && (await gql(social.path, `query { self { username } }`, {}, tokens.accessToken));
    return remember(tokens, found?.data?.self?.username ?? login.split('@')[0], { own });
  },

  // A token that is good for another minute at least.
  async token(userId) {
    const user = state.users.find((u) => u.userId === userId);
    if (!user) return null;
    const { name, accounts } = systems.active();
    if (accounts) return ownToken(user, name, accounts);
    if (user.expiresAt - Date.now() > 60_000) return user.accessToken;
    user.refreshing ??= refresh(user).finally(() => delete user.refreshing);
    return user.refreshing;
  },
};

// Systems with accounts of their own give tokens of their own, by GraphQL.
async function enterOwn(step, person) {
  const own = {};
  for (const { name, path, accounts } of systems.all()) {
    if (!accounts) continue;
    const { query, variables } = accounts[step](person);
    const answer = await gql(path, query, variables);
    if (answer.data?.session) own[name] = timed(answer.data.session);
    else if (step === 'register') throw new Error(answer.errors[0].message);
  }
  return own;
}

async function ownToken(user, name, accounts) {
  const held = user.own?.[name];
  if (!held) return null;
  if (held.expiresAt - Date.now() > 60_000) return held.accessToken;
  const { query, variables } = accounts.refresh(held.refreshToken);
  const { data } = await gql(systems.active().path, query, variables);
  if (!data?.session) return null;
  user.own[name] = timed(data.session);
  update({ ...state });
  return user.own[name].accessToken;
}

const timed = ({ accessToken, refreshToken, expiresAt }) => ({ accessToken, refreshToken, expiresAt: Date.parse(expiresAt), expiresIn: (Date.parse(expiresAt) - Date.now()) / 1000 });

async function follow(token, userId) {
  const { path, follow } = systems.active();
  const answer = await gql(path, follow, { userId }, token);
  if (answer.errors) throw new Error(answer.errors[0].message);
}

async function createProfile(system, tokens, name) {
  if (!system.profile) return;
  const answer = await gql(system.path, system.profile, { name }, tokens.accessToken);
  if (answer.errors) throw new Error(answer.errors[0].message);
}

async function refresh(user) {
  const tokens = await post('/auth/refresh', { refreshToken: user.refreshToken });
  remember(tokens, user.username, { activate: false, own: user.own });
  return tokens.accessToken;
}

function remember(tokens, username, { activate = true, own = {} } = {}) {
  const userId = claims(tokens.accessToken).sub;
  const user = {
    userId,
    username,
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    expiresAt: Date.now() + tokens.expiresIn * 1000,
    own,
  };
  const others = state.users.filter((u) => u.userId !== userId);
  const known = others.length < state.users.length;
  update({
    users: known ? state.users.map((u) => (u.userId === userId ? user : u)) : [...others, user],
    activeId: activate ? userId : state.activeId,
  });
  return user;
}

function claims(token) {
  const payload = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
  return JSON.parse(atob(payload));
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? `${path} answered ${response.status}`);
  return answer;
}
