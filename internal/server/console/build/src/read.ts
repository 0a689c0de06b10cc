import type { TadaDocumentNode } from "gql.tada";
import useSWR, { type SWRConfiguration } from "swr";
import useSWRInfinite from "swr/infinite";

import { members } from "./members.ts";
import { ask } from "./server.ts";

function titleOf(document: TadaDocumentNode<any, any>): string {
  const [first] = document.definitions;
  return first && "name" in first ? first.name?.value ?? "" : "";
}

/** The key under which the answer to a query is remembered. */
export function keyOf<Variables>(document: TadaDocumentNode<any, Variables>, variables: Variables): [string, Variables] {
  return [titleOf(document), variables];
}

/** Reads a query and keeps its answer; null asks nothing. What the server does not have is never asked. */
export function useRead<Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables | null, options: SWRConfiguration<Data> = {}) {
  const key = variables === null || !members.offers(document) ? null : keyOf(document, variables);
  return useSWR<Data>(key, () => ask(document, variables as Variables), { keepPreviousData: false, ...options });
}

/** Reads a list page by page. */
export function usePages<Data, Variables extends object, Item>(
  document: TadaDocumentNode<Data, Variables>, variables: Variables | null, pick: (data: Data) => { items: Item[]; nextToken: string | null } | null | undefined,
  options: { refreshInterval?: number } = {},
) {
  const read = useSWRInfinite<{ items: Item[]; nextToken: string | null }>(
    (index, before) => {
      if (variables === null || !members.offers(document) || (index > 0 && !before?.nextToken)) return null;
      return [titleOf(document), "pages", { ...variables, nextToken: before?.nextToken ?? null }];
    },
    async ([, , given]: [string, string, Variables]) => pick(await ask(document, given)) ?? { items: [], nextToken: null },
    { revalidateFirstPage: true, revalidateOnFocus: true, ...options },
  );
  const pages = read.data;
  return {
    items: pages?.flatMap(({ items }) => items),
    error: read.error as unknown,
    more: pages?.at(-1)?.nextToken ? () => void read.setSize(read.size + 1) : undefined,
    reading: read.isValidating,
    mutate: read.mutate,
  };
}
