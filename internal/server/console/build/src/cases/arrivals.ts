import { useCallback, useEffect, useRef, useState } from "react";

import { CaseChanged, type CaseLine, CaseOpened } from "../operations.ts";
import { listen } from "../server.ts";

type Listener = { changed: (line: CaseLine) => void; missed: () => void };

/** Cases that open or change while the console is open, whichever page is shown. */
export interface Arrivals {
  /** How many have opened since somebody last looked at the list. */
  count: number;
  seen: () => void;
  follow: (listener: Listener) => () => void;
}

export function useArrivals(recheck: () => unknown): Arrivals {
  const listeners = useRef(new Set<Listener>());
  const [unseen, setUnseen] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    let soon: ReturnType<typeof setTimeout> | undefined;
    // The server ends a subscription together with the role, and when it shuts down.
    const ended = () => {
      recheck();
      again ??= setTimeout(() => setAttempt(attempt + 1), 3000);
    };
    // Either subscription may miss or end what the other does not. Together they read once.
    const missed = () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        listeners.current.forEach((listener) => listener.missed());
      });
    };
    const tell = (line: CaseLine) => listeners.current.forEach(({ changed }) => changed(line));
    const stops = [
      listen(CaseOpened, ({ caseOpened }) => {
        setUnseen((all) => new Set(all).add(caseOpened.id));
        tell(caseOpened);
      }, missed, ended),
      listen(CaseChanged, ({ caseChanged }) => tell(caseChanged), missed, ended),
    ];
    return () => {
      clearTimeout(again);
      clearTimeout(soon);
      stops.forEach((stop) => stop());
    };
  }, [attempt, recheck]);
  const seen = useCallback(() => setUnseen((all) => (all.size ? new Set() : all)), []);
  const follow = useCallback((listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  return { count: unseen.size, seen, follow };
}
