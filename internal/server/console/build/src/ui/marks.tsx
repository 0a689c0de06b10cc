import { useEffect, useState } from "react";

import { type PersonLine } from "../operations.ts";
import { to } from "../route.ts";
import { ago, at, nameOf } from "../words.ts";

export function Logo() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2.5 22 8H2z" />
      <path d="M4 10h2.6v8H4zM10.7 10h2.6v8h-2.6zM17.4 10H20v8h-2.6zM2 19.5h20V22H2z" />
    </svg>
  );
}

const shapes = {
  cases: "M5 21V4m0 1c5-3 8 3 14 0v9c-6 3-9-3-14 0",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 9c.4-4 3-6 6.500-6s6.100 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.300m2 4c2 .8 3.200 2.500 3.500 5.200",
  team: "M4 20v-7m5.500 7V4m5.500 16v-9m5 9V8",
  health: "M3 12h4l2.500-7 4.500 14 2.500-7H21",
  store: "M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0V6Zm0 0c0 4 16 4 16 0M4 12c0 4 16 4 16 0",
  audit: "M6 3h9l4 4v14H6V3Zm3 7h6m-6 4h6m-6 4h4",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M15.500 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-7 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  back: "M15 5l-7 7 7 7",
  keep: "M5 12.500l4.500 4.500L19 7",
  remove: "M6 6l12 12M18 6L6 18",
  down: "M6 9l6 6 6-6",
  check: "M5 12.500l4.500 4.500L19 7",
} as const;

export type Shape = keyof typeof shapes;

export function Icon({ shape }: { shape: Shape }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[shape]} />
    </svg>
  );
}

function hueOf(id: string): number {
  let sum = 0;
  for (const c of id) sum = (sum * 31 + c.charCodeAt(0)) % 360;
  return sum;
}

/** The initial of a person, in a colour of their own. */
export function Face({ person, large }: { person: Pick<PersonLine, "id" | "username" | "fullName"> | null | undefined; large?: boolean }) {
  const [initial] = person ? nameOf(person).replace("@", "") : "?"; // by characters: an emoji is two units
  return (
    <i className={large ? "face large" : "face"} style={{ "--hue": person ? hueOf(person.id) : 0, "--sat": person ? "30%" : "0%" } as object} aria-hidden="true">
      {initial?.toUpperCase()}
    </i>
  );
}

/** A person as a link to all that is known of them. */
export function PersonLink({ person }: { person: PersonLine | null | undefined }) {
  if (!person) return <span className="dim">{nameOf(person)}</span>;
  return <a className="name" href={to(["people", person.id])}>{nameOf(person)}</a>;
}

let now = Date.now();
const tickers = new Set<(now: number) => void>();
setInterval(() => {
  now = Date.now();
  tickers.forEach((tick) => tick(now));
}, 20_000);

/** The present, to within twenty seconds. */
export function useNow(): number {
  const [seen, setSeen] = useState(now);
  useEffect(() => {
    tickers.add(setSeen);
    return () => void tickers.delete(setSeen);
  }, []);
  return Math.max(seen, now);
}

/** A time, shown relative to now. */
export function When({ time }: { time: string | number }) {
  const present = useNow();
  return <time dateTime={new Date(time).toISOString()} title={at(time)}>{ago(time, present)}</time>;
}

export function Chip({ tone = "plain", children }: { tone?: "plain" | "good" | "bad" | "warn" | "info"; children: React.ReactNode }) {
  return <span className={`chip ${tone}`}>{children}</span>;
}

export function Key({ children }: { children: string }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}
