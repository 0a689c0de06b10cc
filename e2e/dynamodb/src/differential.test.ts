import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { agreement, differ, Kinds, type Difference } from "./compare.ts";
import { makers } from "./generate/requests.ts";
import { createTable, tableName } from "./generate/table.ts";
import { Random } from "./random.ts";
import { startDynalite, startDynamoDBLocal, startStoa, type Server } from "./servers.ts";
import { Waivers, type Waiver } from "./waivers.ts";
import { send, type Answer, type Json, type JsonObject, type Request } from "./wire.ts";

const seeds = (process.env.SEEDS ?? "1,2,3,4").split(",").map(Number);
const requestsPerSeed = Number(process.env.REQUESTS ?? 1200);
/** Time limit for all seeds together; remaining requests are skipped. */
const budget = 110_000;

let stoa: Server, local: Server, dynalite: Server;
const waivers = new Waivers();
/** The differences that each waiver explained are written to the file named by WAIVED. */
const waived = new Map<Waiver, Kinds>();
const counts = { requests: 0, answers: 0, same: 0, waived: 0 };
const started = Date.now();

before(async () => {
  // Each is registered as soon as it runs, so that it is stopped if another fails to start.
  await Promise.all([
    startStoa().then((server) => (stoa = server)),
    startDynamoDBLocal().then((server) => (local = server)),
    startDynalite().then((server) => (dynalite = server)),
  ]);
});
after(() => Promise.all([stoa, local, dynalite].map((server) => server?.stop())));

/** dynalite has no transactions. */
const speaks = (peer: Server, request: Request): boolean => peer !== dynalite || !request.operation.startsWith("Transact");

/** Sends a request to all servers and returns the peers' differences from stoa. */
async function ask(request: Request): Promise<{ ours: Answer; differences: Difference[] }> {
  const peers = [local, dynalite].filter((peer) => speaks(peer, request));
  const [ours, ...theirs] = await Promise.all([stoa, ...peers].map((server) => send(server, request)));
  for (const [i, answer] of theirs.entries()) if (answer.error === "no answer") await revive(peers[i]!);
  const found = theirs.map((answer) => differ(request, ours!, answer));
  counts.requests++;
  counts.answers += peers.length;
  counts.same += found.filter((difference) => !difference).length;
  const differences = found.flatMap((difference, i) => {
    const other = theirs[1 - i];
    return difference
      ? [{ ...difference, operation: request.operation, peer: peers[i]!.name, otherAgrees: other && agreement(request, ours!, other, difference) }]
      : [];
  });
  return { ours: ours!, differences };
}

/** Restarts a peer that a request has crashed or hung, with the items of stoa. */
async function revive(peer: Server): Promise<void> {
  await peer.restart();
  await send(peer, { operation: "CreateTable", body: createTable() });
  const { body } = await send(stoa, { operation: "Scan", body: { TableName: tableName } });
  for (const Item of body.Items as JsonObject[]) {
    await send(peer, { operation: "PutItem", body: { TableName: tableName, Item } });
  }
}

/** Copies to the peers the items that stoa contains after a write with different outcomes. */
async function level(request: Request): Promise<void> {
  for (const Key of touched(request.body)) {
    const { body } = await send(stoa, { operation: "GetItem", body: { TableName: tableName, Key, ConsistentRead: true } });
    const Item = body.Item;
    const answers = await Promise.all([local, dynalite].map((peer) => Item
      ? send(peer, { operation: "PutItem", body: { TableName: tableName, Item } })
      : send(peer, { operation: "DeleteItem", body: { TableName: tableName, Key } })));
    if (answers.every((answer) => answer.error === undefined)) continue;
    const all = [stoa, local, dynalite]; // a peer cannot store the item, so it is deleted everywhere
    await Promise.all(all.map((server) => send(server, { operation: "DeleteItem", body: { TableName: tableName, Key } })));
  }
}

/** Replaces the table of a server by an empty one. */
async function renew(server: Server): Promise<void> {
  const table = { TableName: tableName };
  let answer = await send(server, { operation: "DeleteTable", body: table });
  while (answer.error === undefined) answer = await send(server, { operation: "DescribeTable", body: table });
  answer = await send(server, { operation: "CreateTable", body: createTable() });
  assert.equal(answer.error, undefined, `${server.name} cannot make the table: ${JSON.stringify(answer)}`);
}

/** Deletes a table that only some of the servers created. */
async function drop(request: Request): Promise<void> {
  const { TableName } = request.body;
  if (TableName === tableName) return;
  await Promise.all([stoa, local, dynalite].map((server) => send(server, { operation: "DeleteTable", body: { TableName } })));
}

/** Returns the valid keys of items anywhere in a request. */
function touched(json: Json | undefined): JsonObject[] {
  if (Array.isArray(json)) return json.flatMap(touched);
  if (json === null || typeof json !== "object") return [];
  const { partitionKey, sortKey } = json as { partitionKey?: JsonObject; sortKey?: JsonObject };
  if (partitionKey?.S && sortKey?.S) return [{ partitionKey, sortKey }];
  return Object.values(json).flatMap(touched);
}

const isWrite = (request: Request): boolean => /^(Put|Update|Delete)Item|Write/.test(request.operation);

for (const seed of seeds) {
  test(`seed ${seed}: ${requestsPerSeed} requests get the answers that the peers give`, async () => {
    await Promise.all([stoa, local, dynalite].map(renew));
    const r = new Random(seed);
    const unexplained = new Kinds();
    let next: Request | undefined;
    for (let n = 0; n < requestsPerSeed && Date.now() - started < budget; n++) {
      const request = next ?? r.pick(makers)(r);
      next = undefined;
      const { ours, differences } = await ask(request);
      for (const d of differences) {
        const waiver = waivers.explain(d);
        if (waiver) {
          counts.waived++;
          if (!waived.has(waiver)) waived.set(waiver, new Kinds());
        }
        (waiver ? waived.get(waiver)! : unexplained).add(d, request);
      }
      if (isWrite(request) && (differences.length > 0 || !speaks(dynalite, request))) await level(request);
      if (request.operation === "CreateTable" && differences.length > 0) await drop(request);
      const { LastEvaluatedKey } = ours.body;
      if (differences.length === 0 && LastEvaluatedKey && request.operation === "Query") {
        next = { ...request, body: { ...request.body, ExclusiveStartKey: LastEvaluatedKey } };
      }
    }
    const report = unexplained.report();
    assert.equal(report.length, 0, `${report.length} kinds of unexplained differences:\n\n${report.join("\n\n")}`);
  });
}

test("every waiver is still needed", (t) => {
  t.diagnostic(`${counts.requests} requests, ${counts.answers} answers of peers: ${counts.same} the same, ${counts.waived} waived`);
  for (const [waiver, times] of waivers.used) t.diagnostic(`${times} × ${waiver.reason}`);
  if (process.env.WAIVED) {
    writeFileSync(process.env.WAIVED, [...waived].map(([waiver, kinds]) => `# ${waiver.reason}\n\n${kinds.report().join("\n")}\n`).join("\n"));
  }
  const all = seeds.length * requestsPerSeed;
  assert.ok(counts.requests >= all / 2, "the machine was too slow to ask even half of the requests");
  if (counts.requests < all) return; // requests that were skipped may need some waivers
  const idle = [...waivers.used].filter(([waiver, times]) => times === 0 && !waiver.seldom).map(([waiver]) => waiver);
  assert.deepEqual(idle, []);
});
