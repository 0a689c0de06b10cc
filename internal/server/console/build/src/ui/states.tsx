import { type ReactNode, useSyncExternalStore } from "react";

import { sentenceOf } from "../server.ts";
import { Button } from "./forms.tsx";

/** What went wrong, and what to do about it. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  return (
    <div className="notice bad" role="alert">
      <p>{sentenceOf(error)}</p>
      {retry && <Button look="quiet" onPress={retry}>Try again</Button>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="title">{title}</p>
      {children && <p className="dim">{children}</p>}
    </div>
  );
}

/** Stands for what is being read. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: lines }, (_, i) => <i key={i} aria-hidden="true" />)}
    </div>
  );
}

/** Stands for what this server does not have. */
export function Missing({ what }: { what: string }) {
  return <Empty title={`This server does not show ${what}`}>An older version answers. It appears when all processes run the new one.</Empty>;
}

interface Said {
  id: number;
  text: string;
  action?: { text: string; href: string };
}

let said: Said[] = [];
let next = 0;
const listeners = new Set<() => void>();

function update(all: Said[]): void {
  said = all;
  listeners.forEach((listener) => listener());
}

/** Tells in passing what has been done, also to screen readers. */
export function say(text: string, action?: Said["action"]): void {
  const one: Said = { id: next++, text, ...(action && { action }) };
  update([...said.slice(-2), one]);
  setTimeout(() => update(said.filter(({ id }) => id !== one.id)), 7000);
}

export function Sayings() {
  const all = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, () => said);
  return (
    <div className="sayings" role="status" aria-live="polite">
      {all.map(({ id, text, action }) => (
        <p key={id}>{text} {action && <a href={action.href}>{action.text}</a>}</p>
      ))}
    </div>
  );
}
