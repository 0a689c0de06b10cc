import type { Random } from "../random.ts";
import type { Json, JsonObject } from "../wire.ts";

/** An attribute value, such as {"S": "text"}. */
export type Value = JsonObject;

/** Forms and limits of numbers; the last rows are refused. */
const edges = [
  "0", "-0", "0.000", "1.50", "-1.50", "00012", "1e5", "1E+2", "1.5e-3", "100000000000000000000",
  "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678",
  "9.9999999999999999999999999999999999999E+125", "-9.9999999999999999999999999999999999999E+125", "1E-130", "-1E-130",
];
const wrongNumbers = [
  "123456789012345678901234567890123456789", "1E+126", "-1E+126", "1E-131", "1e400", "abc", "", "1.2.3", "1e", "--1", "0x10", "NaN", "Infinity",
];

const words = ["", "a", "ab", "abc", "b", "Ana", "ana", "é", "日本", "😀", "with space", "0", "10", "9"];

export const text = (r: Random): Value => ({ S: r.chance(0.15) ? "x".repeat(r.int(1, 60)) : r.pick(words.slice(1)) });
export const number = (r: Random): Value => ({ N: r.chance(0.2) ? r.pick(edges) : String(r.int(-20, 100) / r.pick([1, 1, 1, 8])) });
export const binary = (r: Random): Value => ({ B: Buffer.from(r.list(1, 4, () => r.int(0, 255))).toString("base64") });

const sets: ((r: Random) => Value)[] = [
  (r) => ({ SS: r.some(words.slice(1), 1, 4) }),
  (r) => ({ NS: r.some(["1", "2", "3", "1.5", "-7", "1e3"], 1, 4) }),
  (r) => ({ BS: r.some(["AQ==", "AgM=", "/w=="], 1, 3) }),
];

export const set = (r: Random): Value => r.pick(sets)(r);

/** A valid value of any type. */
export function value(r: Random, depth = 2): Value {
  const kinds: (() => Value)[] = [
    () => text(r), () => text(r), () => number(r), () => number(r), () => binary(r), () => set(r),
    () => ({ BOOL: r.chance(0.5) }), () => ({ NULL: true }),
  ];
  if (depth > 0) {
    kinds.push(
      () => ({ L: r.list(0, 3, () => value(r, depth - 1)) }),
      () => ({ M: Object.fromEntries(r.some(["x", "y", "z"], 0, 3).map((name) => [name, value(r, depth - 1)])) }),
    );
  }
  return r.pick(kinds)();
}

const nested = (levels: number): Value => (levels === 0 ? { S: "bottom" } : { L: [nested(levels - 1)] });

const wrongValues: ((r: Random) => Json)[] = [
  (r) => ({ N: r.pick(wrongNumbers) }),
  (r) => ({ NS: ["1", r.pick(wrongNumbers)] }),
  () => ({}),
  () => ({ S: "a", N: "1" }),
  () => ({ SS: [] }), () => ({ NS: [] }), () => ({ BS: [] }),
  () => ({ SS: ["a", "b", "a"] }), () => ({ NS: ["1", "1.0"] }), () => ({ BS: ["AQ==", "AQ=="] }),
  () => ({ NULL: false }),
  () => nested(33),
  () => ({ L: [{ M: { x: {} } }] }),
  () => ({ S: 1 }), () => ({ N: 1 }), () => ({ SS: "a" }), () => ({ L: {} }), () => ({ M: [] }), () => ({ BOOL: "yes" }), () => "text",
];

/** A value that is invalid, or almost. */
export const wrongValue = (r: Random): Json => r.pick(wrongValues)(r);
