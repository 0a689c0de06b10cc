import { isFailure } from "./errors.ts";

/** Repeats an action that gets no answer. */
export async function insist<T>(action: () => T | Promise<T>, attempts: number, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (!isFailure(error) || error.code !== "NETWORK" || attempt === attempts || signal?.aborted) throw error;
    }
    await backOff(attempt, signal);
  }
}

/** Waits before an attempt is repeated: longer each time up to 30 s, at random so that clients do not return all at once. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const most = Math.min(30_000, 250 * 2 ** attempt);
  await wait(most / 2 + (Math.random() * most) / 2, signal);
}

/** Waits for a time, at most until the browser is online again or the signal is aborted. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      globalThis.removeEventListener?.("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (signal?.aborted) done();
    signal?.addEventListener("abort", done);
    globalThis.addEventListener?.("online", done);
  });
}
