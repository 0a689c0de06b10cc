import type { Random } from "../random.ts";
import type { Json, JsonObject } from "../wire.ts";
import { number, set, text, value, wrongValue, type Value } from "./values.ts";

export type Item = { [name: string]: Json };

/** An index, or the table's primary key if it has no name. */
export interface Index {
  name?: string;
  hash: string;
  sort: string;
  sortType: "S" | "N";
  keysOnly: boolean;
}

const index = (name: string, sortType: "S" | "N"): Index => ({
  name: `GSI-${name}`, hash: `gsi${name}PartitionKey`, sort: `gsi${name}SortKey`, sortType, keysOnly: name.startsWith("K"),
});

/** The table under test has the keys and indexes of the store's main table. */
export const primary: Index = { hash: "partitionKey", sort: "sortKey", sortType: "S", keysOnly: false };
export const indexes: Index[] = [
  index("A1", "S"), index("A2", "S"), index("A3", "S"), index("A4", "N"), index("K1", "S"), index("K2", "S"), index("K3", "N"),
];
export const tableName = "differential";

const schema = (i: Index): Json => [
  { AttributeName: i.hash, KeyType: "HASH" }, { AttributeName: i.sort, KeyType: "RANGE" },
];

/** The body of CreateTable. */
export const createTable = (): JsonObject => ({
  TableName: tableName,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: schema(primary),
  AttributeDefinitions: [primary, ...indexes].flatMap((i) => [
    { AttributeName: i.hash, AttributeType: "S" }, { AttributeName: i.sort, AttributeType: i.sortType },
  ]),
  GlobalSecondaryIndexes: indexes.map((i) => ({
    IndexName: i.name!, KeySchema: schema(i), Projection: { ProjectionType: i.keysOnly ? "KEYS_ONLY" : "ALL" },
  })),
});

const partitions = ["user/1", "user/2", "post/1"];
const sorts = ["profile", "follower/1", "follower/2", "like/1", "like/10", "z"];

/** The key of one of a few items, so that requests collide. */
export const key = (r: Random): { [name: string]: Json } => ({
  partitionKey: { S: r.pick(partitions) }, sortKey: { S: r.pick(sorts) },
});

/** An invalid key. */
export const wrongKey = (r: Random): { [name: string]: Json } =>
  r.pick<(k: { [name: string]: Json }) => { [name: string]: Json }>([
    (k) => ({ partitionKey: k.partitionKey! }),
    (k) => ({ ...k, extra: { S: "a" } }),
    (k) => ({ ...k, sortKey: { N: "1" } }),
    (k) => ({ ...k, partitionKey: { S: "" } }),
    (k) => ({ ...k, sortKey: { S: "" } }),
    (k) => ({ ...k, sortKey: { S: "x".repeat(1025) } }),
    (k) => ({ ...k, partitionKey: { S: "x".repeat(2049) } }),
    () => ({}),
    (k) => ({ ...k, sortKey: wrongValue(r) }),
  ])(key(r));

const indexPartitions = ["left", "right"];

// The order of index entries with equal keys is undefined, so sort keys of indexes rarely
// repeat.
const indexSort = (r: Random, type: "S" | "N"): Value =>
  type === "S" ? { S: `${r.pick(["a", "b", "FOLLOWING/2"])}${r.int(0, 1e6)}` } : { N: String(r.int(-1e6, 1e6) / 8) };

/** Names of non-key attributes, by their usual type. */
export const plain: { [name: string]: (r: Random) => Value } = {
  n1: number,
  n2: (r) => ({ N: String(r.int(-5, 5)) }),
  s1: text,
  s2: text,
  l1: (r) => ({ L: r.list(0, 3, () => value(r, 1)) }),
  m1: (r) => ({ M: { x: number(r), y: value(r, 1), z: { M: { w: text(r) } } } }),
  set1: set,
  anything: value,
};

/** A whole item, mostly valid. */
export function item(r: Random): Item {
  const made: Item = key(r);
  for (const i of indexes) {
    if (r.chance(0.6)) made[i.hash] = { S: r.pick(indexPartitions) };
    if (r.chance(0.8)) made[i.sort] = indexSort(r, i.sortType);
  }
  for (const [name, make] of Object.entries(plain)) {
    if (r.chance(0.6)) made[name] = r.chance(0.1) ? value(r) : make(r);
  }
  if (r.chance(0.05)) made.wrong = wrongValue(r);
  if (r.chance(0.02)) made[r.pick(indexes).hash] = { N: "1" };
  if (r.chance(0.02)) made[r.pick(indexes).sort] = r.pick<Json>([{ S: "" }, { BOOL: true }, { S: "x".repeat(1025) }]);
  if (r.chance(0.02)) Object.assign(made, wrongKey(r));
  if (r.chance(0.01)) made.large = { S: "x".repeat(r.pick([409000, 409700])) };
  return made;
}

/** A value for the partition or sort key of an index. */
export const wanted = (r: Random, i: Index, part: "hash" | "sort"): Value => {
  if (part === "hash") return { S: r.pick(i.name ? indexPartitions : partitions) };
  if (i.name) return indexSort(r, i.sortType);
  return { S: r.pick(sorts).slice(0, r.int(1, 10)) };
};
