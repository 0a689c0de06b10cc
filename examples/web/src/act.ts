import type { TadaDocumentNode } from "gql.tada";
import { useSyncExternalStore } from "react";

import { client, explain } from "./server.ts";

let shown: string | null = null;
let timer: ReturnType<typeof setTimeout>;
const watchers = new Set<() => void>();

/** Shows a short text at the foot of the screen. */
export function say(text: string | null): void {
  shown = text;
  clearTimeout(timer);
  if (text) timer = setTimeout(() => say(null), 6000);
  watchers.forEach((watch) => watch());
}

export function useSaid(): string | null {
  return useSyncExternalStore((watch) => (watchers.add(watch), () => watchers.delete(watch)), () => shown);
}

/** Does a mutation. If it fails, the user is told why and null is returned. */
export async function act<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>, variables: Variables,
): Promise<Data | null> {
  const { data, error } = await client.mutation<Data, Variables>(document, variables).toPromise();
  if (error) say(explain(error));
  return error ? null : (data ?? null);
}
