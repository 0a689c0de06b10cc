import { Face, graphql } from "../api.ts";
import { useLive } from "../live.ts";
import { useMe } from "../me.ts";
import { Link } from "../router.tsx";
import { Ago, Avatar, Head, Instead } from "../ui.tsx";

const Chats = graphql(`
  query Chats($me: ID!) {
    self {
      userId
      chats(limit: 50) {
        items {
          chatId name lastMessageActivityAt
          unread: messagesCount(viewedStatus: NOT_VIEWED)
          users(limit: 3, excludeUserId: $me) { items { ...Face } }
          messages(limit: 1, reverse: true) { items { messageId text authorUserId } }
        }
      }
    }
  }
`, [Face]);

export function ChatsScreen() {
  const me = useMe();
  const [{ data, error, fetching }] = useLive(Chats, { me: me.userId }, ["chats"], ["Chat", "ChatMessage"]);
  const chats = data?.self.chats?.items ?? [];
  return (
    <main>
      <Head title="Chats" />
      <ul className="list">
        {chats.map(({ chatId, name, users, messages, unread, lastMessageActivityAt }) => {
          const [other] = users.items;
          const last = messages.items[0];
          return (
            <li key={chatId} className={unread ? "person unread" : "person"}>
              <Link to={`/chat/${chatId}`} className="who">
                <Avatar of={other ?? { userId: chatId, username: name ?? "?", photo: null }} />
                <span>
                  <strong>{name || users.items.map((user) => user.fullName || user.username).join(", ") || "Empty chat"}</strong>
                  <small className="last">{last && `${last.authorUserId === me.userId ? "You: " : ""}${last.text}`}</small>
                </span>
                <span className="end">
                  {lastMessageActivityAt && <small><Ago at={lastMessageActivityAt} /></small>}
                  {unread > 0 && <b className="badge">{unread}<span className="hidden"> unread</span></b>}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      <Instead fetching={fetching} error={error} empty={!chats.length}>
        <h2>No chats yet</h2>
        <p>Open somebody’s profile and choose Message.</p>
        <Link to="/people" className="primary button">Find people</Link>
      </Instead>
    </main>
  );
}
