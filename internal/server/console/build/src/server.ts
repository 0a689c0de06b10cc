import type { TadaDocumentNode } from "gql.tada";
import { isFailure, Stoa, StoaError, type TokenStorage } from "stoa-client";

import { members } from "./members.ts";

const refreshKey = "stoa.console.refresh";

let tokens: string | null = null;

/** Access tokens are in memory alone. The refresh token outlives a reload of this tab. */
const storage: TokenStorage = {
  load() {
    const refreshToken = tokens === null && sessionStorage.getItem(refreshKey);
    if (refreshToken) tokens = JSON.stringify({ accessToken: "", refreshToken, expiresAt: 0 });
    return tokens;
  },
  save(text) {
    tokens = text;
    const refreshToken = text && (JSON.parse(text) as { refreshToken: string }).refreshToken;
    if (refreshToken) sessionStorage.setItem(refreshKey, refreshToken);
    else sessionStorage.removeItem(refreshKey);
  },
};

const ended = new Set<() => void>();

/** Calls a function when the session has ended without signing out, and returns one that stops that. */
export function onEnded(callback: () => void): () => void {
  ended.add(callback);
  return () => void ended.delete(callback);
}

export const stoa = new Stoa({
  url: location.origin, path: "/operator/graphql", storage, onSignedOut: () => ended.forEach((callback) => callback()),
});

/** Uses a token of an external issuer until it expires. It cannot be renewed here. */
export function useToken(accessToken: string): void {
  const { exp } = claimsOf(accessToken);
  tokens = JSON.stringify({ accessToken, refreshToken: "", expiresAt: (exp ?? 0) * 1000 });
}

function claimsOf(token: string): { exp?: number } {
  try {
    return JSON.parse(atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"))) as { exp?: number };
  } catch {
    throw new StoaError("INVALID", "Not a token: a token has three parts separated by dots.");
  }
}

/** Asks a query or does a mutation, without what the server does not have. */
export function ask<Data, Variables>(document: TadaDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const text = members.fit(document);
  return text.startsWith("mutation") ? stoa.mutate<Data>(text, variables as object) : stoa.query<Data>(text, variables as object);
}

/**
 * Listens to a subscription, if the server has it; missed is called whenever events may have been missed, ended if the
 * server ends it, as it does when a role is taken back.
 */
export function listen<Data>(document: TadaDocumentNode<Data, object>, next: (data: Data) => void, missed?: () => unknown, ended?: () => void): () => void {
  if (!members.offers(document)) return () => {};
  return stoa.subscribe<Data>(members.fit(document), {}, { next, ...(missed && { refetch: missed }), error: () => ended?.() });
}

/** Reports whether an error says that the caller has no role, or too small a one. */
export function lacksRole(error: unknown): boolean {
  return isFailure(error) && (error.details.errors ?? []).some((one) => infoOf(one).includes("NOT_OPERATOR"));
}

function infoOf(error: { errorInfo?: readonly string[] | null; extensions?: Record<string, unknown> }): readonly string[] {
  return error.errorInfo ?? (error.extensions?.errorInfo as readonly string[] | undefined) ?? [];
}

/** What to tell about an error, and what to do about it. */
export function sentenceOf(error: unknown): string {
  if (!isFailure(error)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case "NETWORK":
      return "The server does not answer. Check the connection, then try again.";
    case "UNAUTHENTICATED":
      return error.details.status === 401 && !tokens ? error.message : "The session has ended. Sign in again: nothing that you have typed is lost.";
    case "RATE_LIMITED":
      return `Too many requests. Wait ${error.details.retryAfter ?? "a few"} seconds, then try again.`;
    case "TIMEOUT":
      return "The server took too long. Try again; if it stays like this, look at Health.";
    case "INTERNAL":
      return "The server failed, and its log has the reason. Try again; if it stays like this, look at Health.";
    case "FORBIDDEN":
      return lacksRole(error) ? "Only operators may do this. Ask one of them." : error.message.replace(/^ClientError: /, "");
    default:
      return error.message.replace(/^ClientError: /, "");
  }
}
