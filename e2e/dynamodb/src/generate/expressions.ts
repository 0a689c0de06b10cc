import type { Random } from "../random.ts";
import type { Json, JsonObject } from "../wire.ts";
import { plain, wanted, type Index } from "./table.ts";
import { binary, number, set, text, value, wrongValue } from "./values.ts";

/** Collects the placeholders of one request's expressions. */
export class Placeholders {
  private names: { [name: string]: string } = {};
  private values: { [name: string]: Json } = {};

  constructor(private readonly r: Random) {}

  /** An attribute name, literally or as a placeholder. */
  name(attribute: string): string {
    if (this.r.chance(0.6)) return attribute;
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(v: Json): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = this.r.chance(0.01) ? wrongValue(this.r) : v;
    return placeholder;
  }

  /** The request members that define the placeholders, occasionally invalid. */
  members(): JsonObject {
    const { names, values, r } = this;
    if (r.chance(0.015)) names["#unused"] = "a";
    if (r.chance(0.015)) values[":unused"] = { S: "a" };
    if (r.chance(0.01)) delete names[r.pick(Object.keys(names)) ?? ""];
    if (r.chance(0.01)) delete values[r.pick(Object.keys(values)) ?? ""];
    if (r.chance(0.005)) names["noHash"] = "a";
    if (r.chance(0.005)) values["noColon"] = { S: "a" };
    const members: JsonObject = {};
    if (Object.keys(names).length > 0 || r.chance(0.005)) members.ExpressionAttributeNames = names;
    if (Object.keys(values).length > 0 || r.chance(0.005)) members.ExpressionAttributeValues = values;
    return members;
  }
}

/** A path to a value that may exist. */
export function path(r: Random, p: Placeholders): string {
  if (r.chance(0.01)) return r.pick(["status", "name", "Timestamp", "1a", "a-b", "a."]); // reserved words and invalid names
  return r.pick<() => string>([
    () => p.name(r.pick(Object.keys(plain))),
    () => p.name(r.pick(Object.keys(plain))),
    () => p.name("absent"),
    () => `${p.name("m1")}.${p.name(r.pick(["x", "y", "absent"]))}`,
    () => `${p.name("m1")}.${p.name("z")}.${p.name("w")}`,
    () => `${p.name("l1")}[${r.int(0, 3)}]`,
    () => `${p.name("anything")}.${p.name("x")}`,
  ])();
}

const operand = (r: Random, p: Placeholders): string =>
  r.chance(0.45) ? path(r, p) : r.chance(0.12) ? `size(${path(r, p)})` : p.value(r.chance(0.7) ? r.pick([number, text])(r) : value(r, 1));

const types = ["S", "SS", "N", "NS", "B", "BS", "BOOL", "NULL", "L", "M"];

/** A condition, mostly valid. */
export function condition(r: Random, p: Placeholders, depth = 2): string {
  const simple: (() => string)[] = [
    () => `${operand(r, p)} ${r.pick(["=", "<>", "<", "<=", ">", ">="])} ${operand(r, p)}`,
    () => `${operand(r, p)} ${r.pick(["=", "<>", "<", ">="])} ${p.value(r.pick([number, text, binary, set])(r))}`,
    () => `${path(r, p)} BETWEEN ${p.value({ N: String(r.int(-5, 5)) })} AND ${p.value({ N: String(r.int(r.chance(0.05) ? -9 : 5, 50)) })}`,
    () => `${path(r, p)} IN (${r.list(1, 3, () => operand(r, p)).join(", ")})`,
    () => `attribute_exists(${path(r, p)})`,
    () => `attribute_not_exists(${path(r, p)})`,
    () => `attribute_type(${path(r, p)}, ${p.value({ S: r.chance(0.05) ? "X" : r.pick(types) })})`,
    () => `begins_with(${path(r, p)}, ${p.value(r.pick([text, binary, text, number])(r))})`,
    () => `contains(${path(r, p)}, ${p.value(value(r, 0))})`,
  ];
  if (depth === 0 || r.chance(0.5)) return r.pick(simple)();
  const part = () => condition(r, p, depth - 1);
  return r.pick([
    () => `${part()} AND ${part()}`, () => `${part()} OR ${part()}`, () => `NOT ${part()}`,
    () => `(${part()})`, () => `${part()} and (${part()} or not ${part()})`,
  ])();
}

/** An update, mostly valid. */
export function update(r: Random, p: Placeholders): string {
  const clauses: { [keyword: string]: () => string } = {
    SET: () => r.list(1, 3, () => `${path(r, p)} = ${assigned(r, p)}`).join(", "),
    REMOVE: () => r.list(1, 2, () => path(r, p)).join(", "),
    ADD: () => r.list(1, 2, () => `${p.name(r.pick(["n1", "n2", "set1", "absent", "s1"]))} ${p.value(r.pick([number, number, set, text])(r))}`).join(", "),
    DELETE: () => `${p.name(r.pick(["set1", "set1", "absent", "n1"]))} ${p.value(r.pick([set, set, set, number])(r))}`,
  };
  const keywords = r.some(Object.keys(clauses), 1, r.chance(0.3) ? 3 : 1);
  if (r.chance(0.01)) keywords.push(keywords[0]!);
  return keywords.map((keyword) => `${r.chance(0.1) ? keyword.toLowerCase() : keyword} ${clauses[keyword]!()}`).join(" ");
}

function assigned(r: Random, p: Placeholders): string {
  const one = () => p.value({ N: String(r.int(1, 9)) });
  return r.pick<() => string>([
    () => p.value(value(r)),
    () => p.value(r.pick([number, text])(r)),
    () => path(r, p),
    () => `${path(r, p)} ${r.pick(["+", "-"])} ${one()}`,
    () => `${p.name("n2")} ${r.pick(["+", "-"])} ${r.chance(0.1) ? p.value(text(r)) : one()}`,
    () => `if_not_exists(${path(r, p)}, ${one()})`,
    () => `if_not_exists(${p.name("n1")}, ${p.value({ N: "0" })}) + ${one()}`,
    () => `list_append(${p.name("l1")}, ${p.value(r.chance(0.9) ? { L: [value(r, 0)] } : value(r, 0))})`,
  ])();
}

/** A projection, mostly valid. */
export const projection = (r: Random, p: Placeholders): string =>
  r.some(["partitionKey", "sortKey", ...Object.keys(plain)], 1, 3).map((name) => p.name(name))
    .concat(r.chance(0.3) ? [path(r, p)] : []).join(", ");

/** A condition on the keys of an index, mostly valid. */
export function keyCondition(r: Random, p: Placeholders, i: Index): string {
  const hash = `${p.name(i.hash)} = ${p.value(wanted(r, i, "hash"))}`;
  if (r.chance(0.02)) return r.pick([`${i.hash} > ${p.value(wanted(r, i, "hash"))}`, `${i.sort} = ${p.value(wanted(r, i, "sort"))}`]);
  if (r.chance(0.4)) return hash;
  const low = () => p.value(r.chance(0.02) ? { BOOL: true } : wanted(r, i, "sort"));
  const sort = p.name(i.sort);
  const range = r.pick<() => string>([
    () => `${sort} ${r.pick(["=", "<", "<=", ">", ">="])} ${low()}`,
    () => `${sort} BETWEEN ${low()} AND ${low()}`,
    () => `begins_with(${sort}, ${r.chance(0.9) ? p.value({ S: r.pick(["like/1", "a", "FOLLOWING/", "z"]) }) : low()})`,
    () => r.chance(0.1) ? `${sort} <> ${low()}` : `${sort} >= ${low()}`,
  ])();
  return r.chance(0.9) ? `${hash} AND ${range}` : `(${range}) AND (${hash})`;
}

/** An expression that is usually malformed. */
export function broken(r: Random, expression: string): string {
  const tokens = expression.split(" ");
  const at = r.int(0, tokens.length - 1);
  return r.pick([
    () => "", () => " ",
    () => tokens.toSpliced(at, 1).join(" "),
    () => tokens.toSpliced(at, 0, tokens[at]!).join(" "),
    () => tokens.toSpliced(at, 0, r.pick(["AND", "&", "==", "(", ")", ",", "=", "SET", "BETWEEN", "status", "foo(a)", "'"])).join(" "),
    () => `((${expression}))`,
    () => `${expression} ${"x".repeat(4096)}`,
  ])();
}
