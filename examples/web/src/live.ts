import type { TadaDocumentNode } from "gql.tada";
import { useEffect, useRef } from "react";
import { useQuery, type UseQueryResponse } from "urql";

import { graphql } from "./api.ts";
import { stoa } from "./server.ts";

/** What can change without this device doing it. */
export type Topic = "feed" | "chats" | "cards";

const news = new EventTarget();
const tell = (...topics: Topic[]) => topics.forEach((topic) => news.dispatchEvent(new Event(topic)));

const Notifications = graphql(`subscription Notifications($userId: ID!) { onNotification(userId: $userId) { type } }`);
const Messages = graphql(`subscription Messages($userId: ID!) { onChatMessageNotification(userId: $userId) { type } }`);
const Cards = graphql(`subscription Cards($userId: ID!) { onCardNotification(userId: $userId) { type } }`);

/** Listens to the server until the returned function is called. After a lost connection everything shown is read again. */
export function listen(userId: string): () => void {
  const stops = [
    stoa.subscribe(Notifications, { userId }, {
      refetch: () => tell("feed", "chats"),
      next: ({ onNotification }) => tell(onNotification?.type === "USER_CHATS_WITH_UNVIEWED_MESSAGES_COUNT_CHANGED" ? "chats" : "feed"),
    }),
    stoa.subscribe(Messages, { userId }, { next: () => tell("chats") }),
    stoa.subscribe(Cards, { userId }, { refetch: () => tell("cards"), next: () => tell("cards") }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Calls an action whenever there is news of a topic. */
export function useNews(topics: Topic[], action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  const names = topics.join();
  useEffect(() => {
    const act = () => latest.current();
    const heard = names.split(",");
    heard.forEach((topic) => news.addEventListener(topic, act));
    return () => heard.forEach((topic) => news.removeEventListener(topic, act));
  }, [names]);
}

/** A query that is asked again whenever there is news of a topic. `kinds` are the types whose mutations change it, even if it is empty. */
export function useLive<Data, Variables extends Record<string, unknown>>(
  query: TadaDocumentNode<Data, Variables>, variables: Variables, topics: Topic[], kinds: string[] = [],
): UseQueryResponse<Data, Variables> {
  const context = useRef({ additionalTypenames: kinds });
  const [result, ask] = useQuery<Data, Variables>({ query, variables, context: context.current, requestPolicy: "cache-and-network" });
  const missed = useRef(false);
  const read = () => ask({ requestPolicy: "network-only", additionalTypenames: kinds });
  useNews(topics, () => {
    if (result.fetching) missed.current = true; // the answer under way may be older than the news
    else read();
  });
  useEffect(() => {
    if (result.fetching || !missed.current) return;
    missed.current = false;
    read();
  }, [result.fetching]);
  return [result, ask] as UseQueryResponse<Data, Variables>;
}
