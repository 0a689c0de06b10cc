import type { Answer, Json, JsonObject, Request } from "./wire.ts";

export type Agreement = "exactly" | "in other words";

/** Two different responses to one request. */
export interface Difference {
  operation: string;
  peer: string;
  /** Each side on one line: an outcome, or a member and its value. */
  ours: string;
  theirs: string;
  /** How the other peer agrees with stoa: in the same words, or only in the outcome. */
  otherAgrees?: Agreement | undefined;
}

/** Differences by kind, each with an example request. */
export class Kinds {
  private readonly seen = new Map<string, { times: number; example: string }>();

  add(d: Difference, request: Request): void {
    const kind = `${d.peer}\n  ours   ${d.ours.slice(0, 600)}\n  theirs ${d.theirs.slice(0, 600)}`;
    const known = this.seen.get(kind);
    const example = known?.example ?? `${d.operation} ${JSON.stringify(request.body)}`;
    this.seen.set(kind, { times: (known?.times ?? 0) + 1, example });
  }

  /** One text for each kind, most frequent first. */
  report(): string[] {
    return [...this.seen].sort(([, a], [, b]) => b.times - a.times)
      .map(([kind, { times, example }]) => `${times} × ${kind}\n  request ${example.slice(0, 1500)}`);
  }
}

/** Both sides of a difference, and its path in the responses. */
export interface Sides {
  ours: string;
  theirs: string;
  at: string[];
}

/** Returns the difference between the responses of a peer and of stoa, or nothing. */
export function differ(request: Request, ours: Answer, theirs: Answer): Sides | undefined {
  if (ours.error !== undefined || theirs.error !== undefined) {
    const [a, b] = [outcome(ours), outcome(theirs)];
    return a === b ? undefined : { ours: a, theirs: b, at: [] };
  }
  return firstDifference(normal(request, ours.body), normal(request, theirs.body), []);
}

/** Reports how another peer agrees with stoa where one peer differs. */
export function agreement(request: Request, ours: Answer, other: Answer, where: Sides): Agreement | undefined {
  if (where.at.length === 0 || other.error !== undefined) {
    if (outcome(ours) === outcome(other)) return "exactly";
    return ours.error === other.error ? "in other words" : undefined;
  }
  const [a, b] = [ours, other].map((answer) => JSON.stringify(member(normal(request, answer.body), where.at)));
  return a === b ? "exactly" : undefined;
}

const member = (json: Json | undefined, at: string[]): Json | undefined =>
  at.length === 0 || json === null || typeof json !== "object" ? json : member((json as JsonObject)[at[0]!], at.slice(1));

/** Returns the deepest path at which two values first differ. */
function firstDifference(a: Json | undefined, b: Json | undefined, at: string[], path = ""): Sides | undefined {
  if (JSON.stringify(a) === JSON.stringify(b)) return undefined;
  if (!a || !b || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) {
    return { ours: `${path} ${JSON.stringify(a)}`, theirs: `${path} ${JSON.stringify(b)}`, at };
  }
  const [x, y] = [a as JsonObject, b as JsonObject]; // arrays are compared like objects with their indexes as keys
  for (const name of new Set([...Object.keys(x), ...Object.keys(y)])) {
    const found = firstDifference(x[name], y[name], [...at, name], `${path}/${Array.isArray(a) ? "" : name}`);
    if (found) return found;
  }
  return undefined;
}

/** A response on one line: "ok", or the complete error. */
export function outcome(answer: Answer): string {
  if (answer.error === undefined) return "ok";
  const details = Object.keys(answer.body).length > 0 ? ` ${JSON.stringify(sorted(answer.body))}` : "";
  return `${answer.error}: ${answer.message}${details}`;
}

/** The parts of a successful response that must be equal, in a canonical form. */
function normal(request: Request, body: JsonObject): JsonObject {
  const copy = sorted(body) as JsonObject;
  if (copy.ConsumedCapacity) copy.ConsumedCapacity = charged(copy.ConsumedCapacity);
  switch (request.operation) {
    case "Scan": // in hash order, which differs between servers
      return { ...copy, Items: anyOrder(copy.Items) };
    case "BatchGetItem":
      return { ...copy, Responses: Object.fromEntries(Object.entries(copy.Responses as JsonObject).map(([t, items]) => [t, anyOrder(items)])) };
    case "CreateTable":
    case "DescribeTable":
    case "DeleteTable":
      return {}; // descriptions are not compared here
    default:
      return copy;
  }
}

/** Consumed units; parts that are zero may be omitted. */
function charged(capacity: Json): Json {
  if (Array.isArray(capacity)) return anyOrder(capacity.map(charged)) ?? null;
  if (capacity === null || typeof capacity !== "object") return capacity;
  return Object.fromEntries(Object.entries(capacity)
    .filter(([, part]) => part !== undefined && part !== 0)
    .map(([name, part]) => [name, charged(part!)])
    .filter(([, part]) => JSON.stringify(part) !== "{}"));
}

const anyOrder = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list;

/** Sorts the members of objects and the elements of sets. */
export function sorted(json: Json | undefined, name = ""): Json {
  if (Array.isArray(json)) {
    const list = json.map((element) => sorted(element));
    return ["SS", "NS", "BS"].includes(name) ? anyOrder(list)! : list;
  }
  if (json === null || json === undefined || typeof json !== "object") return json ?? null;
  const members = Object.entries(json).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member, key)]));
}
