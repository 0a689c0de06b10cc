import { StoaError } from "./errors.ts";
import { insist } from "./wait.ts";

/** A complete answer. */
export type Answer = { status: number; body: string; retryAfter: string | null };

/** Sends requests. */
export type Send = (url: string, init: RequestInit, repeat: boolean) => Promise<Answer>;

/** Statuses by which a proxy, or a server that is stopping, says that there is no answer. */
const unanswered = new Set([502, 503, 504]);

/** Code of a request that is still being executed for a client that sends it again. */
const outstanding = "IDEMPOTENCY_KEY_IN_USE";

/**
 * Returns a function that sends a request and reads its answer. If no answer arrives, a request that may be repeated is
 * sent again; another fails with NETWORK, because the server may have done what it was asked.
 */
export function sender(fetch: typeof globalThis.fetch): Send {
  const once = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await answerOf(url, () => fetch(url, init));
    if (!unanswered.has(answer.status) && !(answer.status === 409 && answer.body.includes(outstanding))) return answer;
    throw new StoaError("NETWORK", answer.body.trim() || `HTTP status ${answer.status}`, { status: answer.status });
  };
  return (url, init, repeat) => insist(() => once(url, init), repeat ? 4 : 1);
}

/** Reads an answer to its end. */
export async function answerOf(url: string, ask: () => Promise<Response>, signal?: AbortSignal): Promise<Answer> {
  try {
    const response = await ask();
    return { status: response.status, body: await response.text(), retryAfter: response.headers.get("retry-after") };
  } catch (cause) {
    throw signal?.aborted ? cause : lost(url, cause);
  }
}

/** The error of a request without an answer. */
export function lost(url: string, cause?: unknown): StoaError {
  return new StoaError("NETWORK", `no answer from ${new URL(url).host}`, { cause });
}
