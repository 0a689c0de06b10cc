import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useQuery } from "urql";

import { act, say } from "../act.ts";
import { Face, graphql } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useLive } from "../live.ts";
import { useMe } from "../me.ts";
import { go } from "../router.tsx";
import { client, explain } from "../server.ts";
import { Ago, Busy, Head } from "../ui.tsx";

const Chat = graphql(`
  query Chat($chatId: ID!, $me: ID!) {
    chat(chatId: $chatId) {
      chatId name
      users(limit: 10, excludeUserId: $me) { items { ...Face } }
      messages(limit: 60, reverse: true) { items { messageId text createdAt authorUserId author { userId username } } }
    }
  }
`, [Face]);
const Send = graphql(`
  mutation Send($chatId: ID!, $messageId: ID!, $text: String!) { addChatMessage(chatId: $chatId, messageId: $messageId, text: $text) { messageId } }
`);
const Start = graphql(`
  mutation Start($chatId: ID!, $userId: ID!, $messageId: ID!, $text: String!) {
    createDirectChat(chatId: $chatId, userId: $userId, messageId: $messageId, messageText: $text) { chatId }
  }
`);
const Seen = graphql(`mutation Seen($chatId: ID!) { reportChatViews(chatIds: [$chatId]) }`);
const Other = graphql(`query Other($userId: ID!) { user(userId: $userId) { ...Face } }`, [Face]);

/** A message that the server has not confirmed yet. Its id is kept, so that it is not sent twice. */
interface Pending {
  messageId: string;
  text: string;
  failed: boolean;
}

export function ChatScreen({ chatId }: { chatId: string }) {
  const me = useMe();
  const [{ data, fetching }, read] = useLive(Chat, { chatId, me: me.userId }, ["chats"], ["ChatMessage", "Chat"]);
  const [pending, setPending] = useState<Pending[]>([]);
  const end = useRef<HTMLDivElement>(null);
  const chat = data?.chat;
  const messages = [...(chat?.messages.items ?? [])].reverse();
  const arrived = new Set(messages.map(({ messageId }) => messageId));
  const waiting = pending.filter(({ messageId }) => !arrived.has(messageId));
  const latest = messages.at(-1)?.messageId;
  const unsent = waiting.filter(({ failed }) => failed).length;

  useLayoutEffect(() => void end.current?.scrollIntoView({ block: "end" }), [latest, waiting.length, unsent]);
  useEffect(() => {
    if (latest) void client.mutation(Seen, { chatId }).toPromise();
  }, [chatId, latest]);

  const mark = (messageId: string, failed: boolean) =>
    setPending((all) => all.map((one) => (one.messageId === messageId ? { ...one, failed } : one)));
  const send = async ({ messageId, text }: Pending) => {
    mark(messageId, false);
    const { error } = await client.mutation(Send, { chatId, messageId, text }).toPromise();
    if (error?.networkError) return mark(messageId, true);
    if (error) { // refused, or sent before although no answer arrived: the list shows which
      setPending((all) => all.filter((one) => one.messageId !== messageId));
      say(explain(error));
    }
    read({ requestPolicy: "network-only" });
  };
  const add = (text: string) => {
    const message = { messageId: crypto.randomUUID(), text, failed: false };
    setPending((all) => [...all, message]);
    void send(message);
  };
  const retry = useRef(() => {});
  retry.current = () => waiting.filter(({ failed }) => failed).forEach((message) => void send(message));
  useEffect(() => {
    const online = () => retry.current();
    addEventListener("online", online);
    return () => removeEventListener("online", online);
  }, []);

  if (!chat) return fetching ? <Busy /> : <main><Head title="Chat" back /><p className="empty">This chat is not yours.</p></main>;
  return (
    <main className="chat">
      <Head title={chat.name || chat.users.items.map((user) => user.fullName || user.username).join(", ") || "Chat"} back />
      <ol className="messages" aria-label="Messages" aria-live="polite">
        {messages.map(({ messageId, text, createdAt, authorUserId, author }) => (
          <li key={messageId} className={!authorUserId ? "system" : authorUserId === me.userId ? "mine" : "theirs"}>
            {authorUserId !== me.userId && chat.users.items.length > 1 && author && <small>{author.username}</small>}
            <p>{text}</p>
            {authorUserId && <small><Ago at={createdAt} /></small>}
          </li>
        ))}
        {waiting.map((message) => (
          <li key={message.messageId} className="mine waiting">
            <p>{message.text}</p>
            <small>{message.failed ? <button className="link" onClick={() => void send(message)}>Not sent. Try again</button> : "Sending"}</small>
          </li>
        ))}
      </ol>
      <div ref={end} className="end-of-list" />
      <MessageForm onSend={add} />
    </main>
  );
}

/** A chat that begins with its first message. */
export function NewChatScreen({ userId }: { userId: string }) {
  const [{ data }] = useQuery({ query: Other, variables: { userId } });
  const ids = useRef({ chatId: crypto.randomUUID(), messageId: crypto.randomUUID() });
  const start = async (text: string) => {
    const started = await act(Start, { ...ids.current, userId, text });
    if (started?.createDirectChat) go(`/chat/${started.createDirectChat.chatId}`, true);
  };
  return (
    <main className="chat">
      <Head title={data?.user?.fullName || data?.user?.username || "Chat"} back />
      <p className="empty messages">Say hello.</p>
      <MessageForm onSend={start} />
    </main>
  );
}

function MessageForm({ onSend }: { onSend: (text: string) => unknown }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    onSend(text.trim());
    setText("");
  };
  return (
    <form className="say" onSubmit={submit}>
      <input aria-label="Message" placeholder="Message" autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      <button className="round primary" aria-label="Send" disabled={!text.trim()}><Icon name="send" /></button>
    </form>
  );
}
