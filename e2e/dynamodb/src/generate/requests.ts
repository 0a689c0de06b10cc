import type { Random } from "../random.ts";
import type { Json, JsonObject, Request } from "../wire.ts";
import { broken, condition, keyCondition, path, Placeholders, projection, update } from "./expressions.ts";
import { createTable, indexes, item, key, primary, tableName, wanted, wrongKey, type Index } from "./table.ts";

const anyKey = (r: Random): JsonObject => (r.chance(0.04) ? wrongKey(r) : key(r));
const expression = (r: Random, text: string): string => (r.chance(0.03) ? broken(r, text) : text);

/** Occasionally adds a fault that is found early in validation. */
function spoil(r: Random, body: JsonObject): JsonObject {
  if (!r.chance(0.03)) return body;
  return r.pick<() => JsonObject>([
    () => ({ ...body, TableName: r.pick<Json>(["nothing-here", "ab", "not a name", "", 1]) }),
    () => { const { TableName, ...rest } = body; return rest; },
    () => ({ ...body, ReturnConsumedCapacity: "SOME" }),
    () => ({ ...body, ReturnValues: "NONSENSE" }),
    () => ({ ...body, ReturnItemCollectionMetrics: "NONSENSE" }),
    () => ({ ...body, Unheard: "of" }),
    () => ({ ...body, ExpressionAttributeNames: { "#a": "a" } }),
    () => ({ ...body, ExpressionAttributeValues: { ":a": { S: "a" } } }),
    () => ({ ...body, ExpressionAttributeNames: {} }),
    () => ({ ...body, ConditionExpression: 1 }),
    () => ({ ...body, Key: [] }),
  ])();
}

const capacity = (r: Random): JsonObject => (r.chance(0.4) ? { ReturnConsumedCapacity: r.pick(["TOTAL", "INDEXES", "NONE"]) } : {});
const returned = (r: Random, valid: string[]): JsonObject =>
  r.chance(0.5) ? { ReturnValues: r.chance(0.97) ? r.pick(valid) : r.pick(["UPDATED_NEW", "ALL_NEW"]) } : {};

/** A generator of requests of one kind. */
export type Maker = (r: Random) => Request;

const putItem: Maker = (r) => {
  const p = new Placeholders(r);
  const guard = r.chance(0.5) ? { ConditionExpression: expression(r, condition(r, p)) } : {};
  return { operation: "PutItem", body: spoil(r, {
    TableName: tableName, Item: item(r), ...guard, ...p.members(), ...returned(r, ["NONE", "ALL_OLD"]), ...capacity(r),
  }) };
};

const updateItem: Maker = (r) => {
  const p = new Placeholders(r);
  const change = r.chance(0.95) ? { UpdateExpression: expression(r, change1(r, p)) } : {};
  const guard = r.chance(0.3) ? { ConditionExpression: expression(r, condition(r, p, 1)) } : {};
  return { operation: "UpdateItem", body: spoil(r, {
    TableName: tableName, Key: anyKey(r), ...change, ...guard, ...p.members(),
    ...returned(r, ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]), ...capacity(r),
  }) };
};

/** An update of plain attributes, or of the index keys of the item. */
function change1(r: Random, p: Placeholders): string {
  if (r.chance(0.75)) return update(r, p);
  const i = r.pick(indexes);
  if (r.chance(0.05)) return `SET ${p.name("partitionKey")} = ${p.value({ S: "other" })}`;
  if (r.chance(0.3)) return `REMOVE ${p.name(i.hash)}`;
  return `SET ${p.name(i.hash)} = ${p.value(wanted(r, i, "hash"))}, ${p.name(i.sort)} = ${p.value(r.chance(0.95) ? wanted(r, i, "sort") : { BOOL: true })}`;
}

const deleteItem: Maker = (r) => {
  const p = new Placeholders(r);
  const guard = r.chance(0.5) ? { ConditionExpression: expression(r, condition(r, p)) } : {};
  return { operation: "DeleteItem", body: spoil(r, {
    TableName: tableName, Key: anyKey(r), ...guard, ...p.members(), ...returned(r, ["NONE", "ALL_OLD"]), ...capacity(r),
  }) };
};

const getItem: Maker = (r) => {
  const p = new Placeholders(r);
  const part = r.chance(0.5) ? { ProjectionExpression: expression(r, projection(r, p)) } : {};
  return { operation: "GetItem", body: spoil(r, {
    TableName: tableName, Key: anyKey(r), ...part, ...p.members(), ...capacity(r), ...(r.chance(0.3) ? { ConsistentRead: r.chance(0.7) } : {}),
  }) };
};

const limits: Json[] = [1, 2, 3, 5, 5, 10, 0, -1];

/** Members common to Query and Scan. */
function reading(r: Random, p: Placeholders, i: Index): JsonObject {
  const body: JsonObject = { TableName: tableName };
  if (i.name) body.IndexName = r.chance(0.02) ? r.pick(["GSI-none", "A1", "not a name"]) : i.name;
  if (r.chance(0.35)) body.FilterExpression = expression(r, r.chance(0.05) ? `${i.sort} = ${p.value({ S: "a" })}` : condition(r, p, 1));
  if (r.chance(0.25)) body.ProjectionExpression = expression(r, projection(r, p));
  if (r.chance(0.15)) body.Select = r.pick(["COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "NONSENSE"]);
  if (r.chance(i.name ? 0.05 : 0.3)) body.ConsistentRead = true;
  return body;
}

const query: Maker = (r) => {
  const p = new Placeholders(r);
  const i = r.chance(0.3) ? primary : r.pick(indexes);
  const body = reading(r, p, i);
  if (r.chance(0.98)) body.KeyConditionExpression = expression(r, keyCondition(r, p, i));
  if (r.chance(0.4)) body.ScanIndexForward = r.chance(0.3);
  if (r.chance(0.4)) body.Limit = r.pick(limits);
  if (r.chance(0.05)) body.ExclusiveStartKey = startKey(r, i);
  return { operation: "Query", body: spoil(r, { ...body, ...p.members(), ...capacity(r) }) };
};

const scan: Maker = (r) => {
  const p = new Placeholders(r);
  const body = reading(r, p, r.chance(0.6) ? primary : r.pick(indexes));
  if (r.chance(0.1)) Object.assign(body, r.pick<JsonObject>([{ Segment: 0 }, { TotalSegments: 2 }, { Segment: 2, TotalSegments: 2 }, { Segment: 0, TotalSegments: 1 }, { Segment: 0, TotalSegments: 1000001 }]));
  return { operation: "Scan", body: spoil(r, { ...body, ...p.members(), ...capacity(r) }) };
};

/** A start key for an index, or almost one. */
const startKey = (r: Random, i: Index): JsonObject => {
  const whole: JsonObject = key(r);
  if (i.name) Object.assign(whole, { [i.hash]: wanted(r, i, "hash"), [i.sort]: wanted(r, i, "sort") });
  return r.chance(0.5) ? whole : r.pick<JsonObject>([{}, wrongKey(r), { ...whole, extra: { S: "a" } }, { partitionKey: whole.partitionKey! }]);
};

const batchGetItem: Maker = (r) => {
  const p = new Placeholders(r);
  const many = r.chance(0.02);
  const keys = many ? Array.from({ length: 101 }, (_, n) => ({ partitionKey: { S: "many" }, sortKey: { S: String(n) } })) : distinct(r.list(r.chance(0.02) ? 0 : 1, 8, () => anyKey(r)), r);
  const part = r.chance(0.3) ? { ProjectionExpression: expression(r, projection(r, p)) } : {};
  return { operation: "BatchGetItem", body: {
    RequestItems: r.chance(0.02) ? {} : { [r.chance(0.98) ? tableName : "nothing-here"]: { Keys: keys, ...part, ...p.members(), ...(r.chance(0.3) ? { ConsistentRead: true } : {}) } },
    ...capacity(r),
  } };
};

const batchWriteItem: Maker = (r) => {
  const write = (): JsonObject => (r.chance(0.7) ? { PutRequest: { Item: item(r) } } : { DeleteRequest: { Key: anyKey(r) } });
  const writes: JsonObject[] = r.chance(0.02) ? r.list(26, 26, () => ({ DeleteRequest: { Key: key(r) } })) : distinctWrites(r.list(1, 5, write), r);
  if (r.chance(0.02)) writes.push(r.pick<JsonObject>([{}, { PutRequest: { Item: item(r) }, DeleteRequest: { Key: key(r) } }]));
  return { operation: "BatchWriteItem", body: { RequestItems: { [tableName]: writes }, ...capacity(r) } };
};

const transactWriteItems: Maker = (r) => {
  const action = (): JsonObject => {
    const p = new Placeholders(r);
    const guard = (probability: number): JsonObject => (r.chance(probability) ? { ConditionExpression: expression(r, condition(r, p, 1)) } : {});
    const failure: JsonObject = r.chance(0.4) ? { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } : {};
    return r.pick<() => JsonObject>([
      () => ({ Put: { TableName: tableName, Item: item(r), ...guard(0.4), ...failure, ...p.members() } }),
      () => ({ Update: { TableName: tableName, Key: anyKey(r), UpdateExpression: expression(r, change1(r, p)), ...guard(0.3), ...failure, ...p.members() } }),
      () => ({ Delete: { TableName: tableName, Key: anyKey(r), ...guard(0.4), ...failure, ...p.members() } }),
      () => ({ ConditionCheck: { TableName: tableName, Key: anyKey(r), ...guard(0.98), ...failure, ...p.members() } }),
    ])();
  };
  const actions = r.list(1, 4, action);
  if (r.chance(0.02)) actions.push({});
  return { operation: "TransactWriteItems", body: { TransactItems: r.chance(0.01) ? [] : r.chance(0.85) ? distinctActions(actions) : actions, ...capacity(r) } };
};

const transactGetItems: Maker = (r) => {
  const get = (): JsonObject => {
    const p = new Placeholders(r);
    const part = r.chance(0.3) ? { ProjectionExpression: expression(r, projection(r, p)) } : {};
    return { Get: { TableName: r.chance(0.98) ? tableName : "nothing-here", Key: anyKey(r), ...part, ...p.members() } };
  };
  return { operation: "TransactGetItems", body: { TransactItems: r.list(r.chance(0.02) ? 0 : 1, 4, get), ...capacity(r) } };
};

/** A table definition that is usually refused. */
const createOther: Maker = (r) => {
  const body: JsonObject = { ...createTable(), TableName: "other" };
  const definitions = body.AttributeDefinitions as Json[];
  const gsis = structuredClone(body.GlobalSecondaryIndexes) as JsonObject[];
  const first = gsis[0]!;
  return { operation: "CreateTable", body: r.pick<() => JsonObject>([
    () => ({ ...body, TableName: r.pick<Json>(["ab", "not a name", "x".repeat(256), null]) }),
    () => ({ ...body, TableName: tableName }),
    () => ({ ...body, KeySchema: r.pick<Json>([[], [{ AttributeName: "partitionKey", KeyType: "RANGE" }], [{ AttributeName: "nope", KeyType: "HASH" }], [{ AttributeName: "partitionKey", KeyType: "HASH" }, { AttributeName: "sortKey", KeyType: "HASH" }], [{ AttributeName: "partitionKey", KeyType: "OTHER" }]]) }),
    () => ({ ...body, AttributeDefinitions: [...definitions, { AttributeName: "unused", AttributeType: "S" }] }),
    () => ({ ...body, AttributeDefinitions: definitions.slice(0, -1) }),
    () => ({ ...body, AttributeDefinitions: [...definitions.slice(0, -1), { AttributeName: "gsiK3SortKey", AttributeType: "BOOL" }] }),
    () => ({ ...body, BillingMode: r.pick(["PROVISIONED", "FREE"]) }),
    () => ({ ...body, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } }),
    () => ({ ...body, GlobalSecondaryIndexes: [] }),
    () => ({ ...body, GlobalSecondaryIndexes: [...gsis, first] }),
    () => ({ ...body, GlobalSecondaryIndexes: [{ ...first, IndexName: "A1" }, ...gsis.slice(1)] }),
    () => ({ ...body, GlobalSecondaryIndexes: [{ ...first, Projection: r.pick<Json>([{}, { ProjectionType: "SOME" }, { ProjectionType: "INCLUDE" }, { ProjectionType: "ALL", NonKeyAttributes: ["a"] }]) }, ...gsis.slice(1)] }),
  ])() };
};

const describe: Maker = (r) => r.pick<Request>([
  { operation: "DescribeTable", body: { TableName: "nothing-here" } },
  { operation: "DescribeTable", body: {} },
  { operation: "DeleteTable", body: { TableName: "nothing-here" } },
  { operation: "ListTables", body: { Limit: 0 } },
  { operation: "ListTables", body: { Limit: 1 } },
  { operation: "ListTables", body: { ExclusiveStartTableName: "differential" } },
]);

/** All kinds of requests; kinds that are listed more often are chosen more often. */
export const makers: Maker[] = [
  putItem, putItem, putItem, putItem, updateItem, updateItem, updateItem, updateItem, updateItem, deleteItem, getItem, getItem,
  query, query, query, query, query, scan, scan, batchGetItem, batchWriteItem,
  transactWriteItems, transactWriteItems, transactGetItems, createOther, describe,
];

// Most batches have no duplicate items: those that do are refused as a whole.

const keyText = (holder: Json | undefined): string => {
  const k = holder as JsonObject;
  return JSON.stringify([k.partitionKey, k.sortKey]);
};

function unique<T>(all: T[], of: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [of(one), one])).values()];
}

const distinct = (keys: JsonObject[], r: Random): JsonObject[] => (r.chance(0.05) ? keys : unique(keys, keyText));

const distinctWrites = (writes: JsonObject[], r: Random): JsonObject[] =>
  r.chance(0.05) ? writes : unique(writes, (w) => keyText((w.PutRequest as JsonObject)?.Item ?? (w.DeleteRequest as JsonObject).Key));

const distinctActions = (actions: JsonObject[]): JsonObject[] =>
  unique(actions, (a) => { const body = Object.values(a)[0] as JsonObject | undefined; return body ? keyText(body.Item ?? body.Key) : ""; });
