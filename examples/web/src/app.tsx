import { type ReactNode, useEffect, useState } from "react";
import { useQuery } from "urql";

import { useSaid } from "./act.ts";
import { Self } from "./api.ts";
import { Icon, type IconName } from "./icons.tsx";
import { listen, useLive } from "./live.ts";
import { MeContext, useMe } from "./me.ts";
import { Link, usePath } from "./router.tsx";
import { ActivityScreen } from "./screens/activity.tsx";
import { ChatScreen, NewChatScreen } from "./screens/chat.tsx";
import { ChatsScreen } from "./screens/chats.tsx";
import { ComposeScreen } from "./screens/compose.tsx";
import { FeedScreen } from "./screens/feed.tsx";
import { PeopleScreen, Suggestions } from "./screens/people.tsx";
import { PostScreen } from "./screens/post.tsx";
import { ProfileScreen } from "./screens/profile.tsx";
import { SettingsScreen } from "./screens/settings.tsx";
import { NameScreen, WelcomeScreen } from "./screens/welcome.tsx";
import { explain, stoa } from "./server.ts";
import { Avatar, Busy } from "./ui.tsx";

/** Shows the way in, or the app if somebody is signed in. */
export function App() {
  const [userId, setUserId] = useState<string | null>();
  useEffect(() => void stoa.session.userId().then((id) => setUserId(id ?? null)), []);
  return (
    <>
      {userId === undefined ? <Busy /> : userId ? <Profiled userId={userId} /> : <WelcomeScreen onSignedIn={setUserId} />}
      <Toast />
    </>
  );
}

/** A new account has no profile until its user has chosen a name. */
function Profiled({ userId }: { userId: string }) {
  const [{ data, error, fetching }, ask] = useQuery({ query: Self });
  if (data) return <Signed userId={userId} />;
  if (fetching || !error) return <Busy />;
  if (!error.networkError) return <NameScreen onNamed={() => ask({ requestPolicy: "network-only" })} />;
  return (
    <main className="gate">
      <p>{explain(error)}</p>
      <button className="primary" onClick={() => ask({ requestPolicy: "network-only" })}>Try again</button>
    </main>
  );
}

function Signed({ userId }: { userId: string }) {
  const [{ data }] = useLive(Self, {}, ["chats", "cards"], ["User", "Chat", "Card"]);
  useEffect(() => listen(userId), [userId]);
  if (!data) return <Busy />;
  return (
    <MeContext value={data.self}>
      <div className="shell">
        <Navigation />
        <div className="column">
          <Offline />
          <Screen path={usePath()} />
        </div>
        <aside className="side" aria-label="Suggestions"><Suggestions /></aside>
      </div>
    </MeContext>
  );
}

/** The screen of a path. Links in cards use the same paths. */
function Screen({ path }: { path: string }) {
  const [root, id, kind, postId] = path.split("/").slice(1);
  switch (root) {
    case "": return <FeedScreen />;
    case "people": return <PeopleScreen />;
    case "new": return <ComposeScreen />;
    case "activity": return <ActivityScreen />;
    case "settings": return <SettingsScreen />;
    case "chat":
      if (!id) return <ChatsScreen />;
      return id === "with" && kind ? <NewChatScreen userId={kind} /> : <ChatScreen key={id} chatId={id} />;
    case "user":
      if (id && kind === "post" && postId) return <PostScreen key={postId} postId={postId} />;
      if (id && kind === "settings") return <SettingsScreen />;
      if (id) return <ProfileScreen key={id} userId={id} />;
  }
  return <main className="empty"><h1>Nothing is here</h1><Link to="/">Back to your feed</Link></main>;
}

function Navigation() {
  const me = useMe();
  const path = usePath();
  const item = (to: string, icon: IconName, label: string, count = 0): ReactNode => (
    <Link to={to} className={to === "/new" ? "nav new" : "nav"} aria-current={path === to ? "page" : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {count > 0 && <b className="badge">{count}<span className="hidden"> new</span></b>}
    </Link>
  );
  return (
    <nav className="bar" aria-label="Main">
      <Link to="/" className="brand"><Icon name="portico" /> Portico</Link>
      {item("/", "home", "Feed")}
      {item("/people", "search", "People")}
      {item("/new", "plus", "Post")}
      {item("/chat", "chat", "Chats", me.chatsWithUnviewedMessagesCount ?? 0)}
      {item("/activity", "bell", "Activity", (me.cardCount ?? 0) || (me.requestCount ?? 0))}
      <Link to={`/user/${me.userId}`} className="nav self"><Avatar of={me} small /><span>{me.username}</span></Link>
    </nav>
  );
}

function Offline() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return <div role="status">{!online && <p className="offline">You are offline. What you see may be out of date.</p>}</div>;
}

function Toast() {
  const text = useSaid();
  return <div role="status" className="toasts">{text && <p className="toast">{text}</p>}</div>;
}
