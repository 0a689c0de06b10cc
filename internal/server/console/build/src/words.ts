import type { CaseLine, ContentKind, PersonLine } from "./operations.ts";

/** How a person is called. */
export function nameOf(person: Pick<PersonLine, "id" | "username" | "fullName"> | null | undefined): string {
  if (!person) return "Deleted account";
  return person.fullName || (person.username ? `@${person.username}` : short(person.id));
}

/** The beginning of a long id. */
export function short(id: string): string {
  const bare = id.replace(/^[\w-]+:(?=[0-9a-f]{8}-)/, "");
  return bare.length > 12 ? `${bare.slice(0, 8)}…` : bare;
}

export const kinds: Record<ContentKind, string> = { POST: "Post", COMMENT: "Comment", CHAT: "Chat", CHAT_MESSAGE: "Message", PERSON: "Person" };

export const verdicts = { KEEP: "Kept", REMOVE: "Removed" } as const;

/** What has become of an item. */
export function fate({ visible, removedBy }: Pick<CaseLine, "visible" | "removedBy">): string {
  if (removedBy === "AUTHOR") return "Deleted by its author";
  if (removedBy === "REPORTS") return "Removed after reports";
  if (removedBy === "WORDS") return "Removed for its words";
  if (removedBy === "PROGRAM") return "Removed by the content check";
  if (removedBy === "MODERATOR") return "Removed by a moderator";
  return visible ? "Visible to others" : "Not visible to others";
}

const checks = { ALLOW: "allowed it", HOLD: "holds it for you", REMOVE: "removed it" } as const;

/** What the content check said. */
export function checked({ verdict, rule, note, failed }: NonNullable<CaseLine["check"]>): string {
  const why = [rule, note].filter(Boolean).join(": ");
  const what = failed ? `The content check failed, and the settings ${verdict === "HOLD" ? "hold" : verdict === "ALLOW" ? "allowed" : "removed"} it` : `The content check ${checks[verdict]}`;
  return why ? `${what} (${why})` : what;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const units = [["year", 31_536_000], ["month", 2_592_000], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60]] as const;

/** A time relative to now, such as "3 hr. ago". */
export function ago(time: string | number, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return seconds > 30 ? "in a moment" : "just now"; // now may be twenty seconds old
}

const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function at(time: string | number): string {
  return full.format(new Date(time));
}

/** A duration in seconds, by its two largest units. */
export function lasting(seconds: number): string {
  const parts = ([["d", 86_400], ["h", 3600], ["min", 60], ["s", 1]] as const).map(([unit, size], i, all) => {
    const above = all[i - 1]?.[1];
    return [Math.floor((above ? seconds % above : seconds) / size), unit] as const;
  });
  const first = parts.findIndex(([n]) => n > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`).join(" ");
}

/** A number of bytes. */
export function bytes(n: number): string {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = n > 0 ? Math.min(Math.floor(Math.log2(n) / 10), 4) : 0;
  const value = n / 1024 ** power;
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${names[power]}`;
}
