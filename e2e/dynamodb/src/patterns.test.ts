import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  BatchGetItemCommand, ConditionalCheckFailedException, CreateTableCommand, DynamoDBClient, GetItemCommand, paginateQuery, PutItemCommand,
  QueryCommand, ResourceNotFoundException, TransactionCanceledException, TransactWriteItemsCommand, UpdateItemCommand, waitUntilTableExists,
  type AttributeValue, type CreateTableCommandInput, type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import { createTable } from "./generate/table.ts";
import { startStoa, type Server } from "./servers.ts";

// The store's access patterns through the AWS SDK: the same rows, keys, conditions and
// transactions.

type Item = Record<string, AttributeValue>;
const TableName = "main";
const S = (text: string): AttributeValue => ({ S: text });
const N = (value: number): AttributeValue => ({ N: String(value) });
const key = (partition: string, sort: string): Item => ({ partitionKey: S(partition), sortKey: S(sort) });
const profileKey = (user: string): Item => key(`user/${user}`, "profile");

let server: Server;
let db: DynamoDBClient;

before(async () => {
  server = await startStoa();
  db = new DynamoDBClient({ endpoint: server.url, region: "eu-central-1", credentials: { accessKeyId: "any", secretAccessKey: "any" } });
  await db.send(new CreateTableCommand({ ...createTable(), TableName } as unknown as CreateTableCommandInput));
  await waitUntilTableExists({ client: db, minDelay: 1, maxWaitTime: 60 }, { TableName });
  for (const user of ["ana", "ben", "cleo"]) await putProfile(user);
});
after(async () => {
  db?.destroy();
  await server?.stop();
});

const putProfile = (user: string) => db.send(new PutItemCommand({
  TableName,
  Item: { ...profileKey(user), gsiA1PartitionKey: S(`username/${user}`), gsiA1SortKey: S("-"), userId: S(user), username: S(user), followerCount: N(0), followedCount: N(0) },
  ConditionExpression: "attribute_not_exists(partitionKey)",
}));

const profile = async (user: string): Promise<Item> =>
  (await db.send(new GetItemCommand({ TableName, Key: profileKey(user), ConsistentRead: true }))).Item!;

test("a profile is made once", async () => {
  await assert.rejects(putProfile("ana"), ConditionalCheckFailedException);
  assert.equal((await profile("ana")).username!.S, "ana");
});

test("a changed username moves the profile in its index", async () => {
  const { Attributes } = await db.send(new UpdateItemCommand({
    TableName, Key: profileKey("cleo"), ReturnValues: "ALL_NEW",
    UpdateExpression: "SET username = :name, gsiA1PartitionKey = :key",
    ConditionExpression: "username = :old",
    ExpressionAttributeValues: { ":name": S("cleopatra"), ":key": S("username/cleopatra"), ":old": S("cleo") },
  }));
  assert.equal(Attributes!.username!.S, "cleopatra");
  const found = async (name: string) => (await db.send(new QueryCommand({
    TableName, IndexName: "GSI-A1", KeyConditionExpression: "gsiA1PartitionKey = :p", ExpressionAttributeValues: { ":p": S(`username/${name}`) },
  }))).Items!.map((item) => item.userId!.S);
  assert.deepEqual(await found("cleopatra"), ["cleo"]);
  assert.deepEqual(await found("cleo"), []);
});

/** Follows as the store does: the row and both counters in one transaction. */
const follow = (follower: string, followed: string, token?: string) => {
  const count = (user: string, name: string): TransactWriteItem => ({ Update: {
    TableName, Key: profileKey(user), UpdateExpression: "ADD #count :one", ConditionExpression: "attribute_exists(partitionKey)",
    ExpressionAttributeNames: { "#count": name }, ExpressionAttributeValues: { ":one": N(1) },
  } });
  return db.send(new TransactWriteItemsCommand({
    ClientRequestToken: token,
    TransactItems: [
      { Put: {
        TableName,
        Item: {
          ...key(`user/${followed}`, `follower/${follower}`),
          gsiA1PartitionKey: S(`follower/${follower}`), gsiA1SortKey: S("FOLLOWING/2025-01-01"),
          gsiA2PartitionKey: S(`followed/${followed}`), gsiA2SortKey: S(`FOLLOWING/2025-01-01T${follower}`),
          followStatus: S("FOLLOWING"),
        },
        ConditionExpression: "attribute_not_exists(partitionKey)", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      } },
      count(followed, "followerCount"),
      count(follower, "followedCount"),
    ],
  }));
};

test("a follow and its counters are one transaction", async () => {
  await follow("ben", "ana", "first");
  await follow("ben", "ana", "first"); // a client repeats a request whose response was lost
  assert.equal((await profile("ana")).followerCount!.N, "1");
  assert.equal((await profile("ben")).followedCount!.N, "1");
});

test("a cancelled transaction says why, in order, and changes nothing", async () => {
  await assert.rejects(follow("ben", "ana"), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    assert.deepEqual(error.CancellationReasons?.map((reason) => reason.Code), ["ConditionalCheckFailed", "None", "None"]);
    assert.equal(error.CancellationReasons?.[0]?.Item?.followStatus?.S, "FOLLOWING");
    return true;
  });
  await assert.rejects(follow("ben", "nobody"), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    assert.deepEqual(error.CancellationReasons?.map((reason) => reason.Code), ["None", "ConditionalCheckFailed", "None"]);
    return true;
  });
  assert.equal((await profile("ben")).followedCount!.N, "1");
});

test("followers are listed by status and time", async () => {
  await follow("cleo", "ana");
  const { Items } = await db.send(new QueryCommand({
    TableName, IndexName: "GSI-A2", KeyConditionExpression: "gsiA2PartitionKey = :p AND begins_with(gsiA2SortKey, :status)",
    ExpressionAttributeValues: { ":p": S("followed/ana"), ":status": S("FOLLOWING/") }, ScanIndexForward: false,
  }));
  assert.deepEqual(Items!.map((item) => item.sortKey!.S), ["follower/cleo", "follower/ben"]);
});

test("a feed is read in pages, the newest first, and its posts in one batch", async () => {
  for (let n = 0; n < 45; n++) {
    await db.send(new PutItemCommand({ TableName, Item: { ...key(`post/${n}`, "-"), text: S(`post ${n}`),
      gsiA4PartitionKey: S("feed/ana"), gsiA4SortKey: N(n * n - 1000) } }));
  }
  const pages: string[][] = [];
  for await (const page of paginateQuery({ client: db, pageSize: 20 }, {
    TableName, IndexName: "GSI-A4", KeyConditionExpression: "gsiA4PartitionKey = :p", ExpressionAttributeValues: { ":p": S("feed/ana") }, ScanIndexForward: false,
  })) pages.push(page.Items!.map((item) => item.partitionKey!.S!));
  assert.deepEqual(pages.flat(), Array.from({ length: 45 }, (_, n) => `post/${44 - n}`));
  assert.deepEqual(pages.map((page) => page.length), [20, 20, 5]);

  const { Responses, UnprocessedKeys } = await db.send(new BatchGetItemCommand({ RequestItems: { [TableName]: {
    Keys: [...pages[0]!, "post/none"].map((post) => key(post, "-")), ProjectionExpression: "#t", ExpressionAttributeNames: { "#t": "text" },
  } } }));
  assert.deepEqual(Responses![TableName]!.map((item) => item.text!.S).sort(), pages[0]!.map((post) => post.replace("/", " ")).sort());
  assert.deepEqual(UnprocessedKeys, {});
});

test("likes are listed from the post and from the person, keys only", async () => {
  for (const user of ["ana", "ben"]) {
    await db.send(new PutItemCommand({ TableName, Item: { ...key("post/1", `like/${user}`),
      gsiK2PartitionKey: S(`like/${user}`), gsiK2SortKey: S("2025-01-01"), liked: { BOOL: true } } }));
  }
  const ofPost = await db.send(new QueryCommand({ TableName, KeyConditionExpression: "partitionKey = :p AND begins_with(sortKey, :like)",
    ExpressionAttributeValues: { ":p": S("post/1"), ":like": S("like/") } }));
  assert.deepEqual(ofPost.Items!.map((item) => item.sortKey!.S), ["like/ana", "like/ben"]);
  const ofBen = await db.send(new QueryCommand({ TableName, IndexName: "GSI-K2", KeyConditionExpression: "gsiK2PartitionKey = :p",
    ExpressionAttributeValues: { ":p": S("like/ben") } }));
  assert.deepEqual(ofBen.Items, [{ ...key("post/1", "like/ben"), gsiK2PartitionKey: S("like/ben"), gsiK2SortKey: S("2025-01-01") }]);
});

test("what is not there is an error of its own", async () => {
  await assert.rejects(db.send(new GetItemCommand({ TableName: "nothing-here", Key: profileKey("ana") })), ResourceNotFoundException);
});
