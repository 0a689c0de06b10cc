import { StoaError } from "./errors.ts";
import { backOff } from "./wait.ts";

/** A complete answer. */
export interface Answer {
  status: number;
  body: string;
  retryAfter: string | null;
}

/** Sends requests. */
export type Send = (url: string, init: RequestInit, repeat: boolean) => Promise<Answer>;

/** Statuses of proxies whose server did not answer. */
const unanswered = new Set([502, 503, 504]);

/** How often a request is sent at most. */
const attempts = 4;

/**
 * Returns a function that sends a request and reads its answer. If no answer arrives, a request that may be repeated is
 * sent again; another fails with NETWORK, because the server may have done what it was asked.
 */
export function sender(fetch: typeof globalThis.fetch): Send {
  return async (url, init, repeat) => {
    for (let attempt = 1; ; attempt++) {
      const last = !repeat || attempt === attempts;
      try {
        const response = await fetch(url, init);
        const answer = { status: response.status, body: await response.text(), retryAfter: response.headers.get("retry-after") };
        if (last || !unanswered.has(answer.status)) return answer;
      } catch (cause) {
        if (init.signal?.aborted) throw cause;
        if (last) throw new StoaError("NETWORK", `no answer from ${new URL(url).host}`, { cause });
      }
      await backOff(attempt, init.signal ?? undefined);
    }
  };
}
