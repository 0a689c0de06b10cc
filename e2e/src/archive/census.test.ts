import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { createClient, type Client } from "graphql-ws";
import WebSocket from "ws";

import { type Account, signUp } from "../account.ts";
import { Server } from "../server.ts";
import * as documents from "./documents.ts";
import { jpegSize, png, zip } from "./files.ts";
import type { AuthLevel, ChangesSubscription } from "./generated/graphql.ts";

let server: Server;
before(async () => {
  process.env.STOA_OPERATORS = "oz@example.com";
  server = await Server.start("archive");
});
after(async () => {
  delete process.env.STOA_OPERATORS;
  assert.equal(await server.stop(), 0);
});

async function request<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V, token?: string): Promise<R> {
  const response = await fetch(`${server.url}/archive/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query: print(document), variables }),
  });
  if (response.status === 401) throw new Error("401");
  const { data, errors } = (await response.json()) as { data: R; errors?: { extensions: { code: string; reason?: string } }[] };
  if (errors) throw new Error(`${errors[0]!.extensions.code} ${errors[0]!.extensions.reason ?? ""}`.trim());
  return data;
}

/** One user's app: typed requests, and a socket for changes of posts. */
class App {
  private constructor(
    readonly id: string,
    private readonly account: Account,
    private readonly socket: Client,
  ) {}

  static async signIn(name: string): Promise<App> {
    const account = await signUp(server, name);
    const socket = createClient({
      url: server.url.replace(/^http/, "ws") + "/archive/graphql",
      webSocketImpl: WebSocket,
      connectionParams: { authorization: account.accessToken },
    });
    const { signIn } = await request(documents.signIn, {}, account.accessToken);
    assert.equal(signIn.name, name);
    return new App(signIn.id, account, socket);
  }

  ask<R, V extends Record<string, unknown>>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
    return request(document, variables, this.account.accessToken);
  }

  /** Uploads a file and returns its key. */
  async upload(contentType: string, data: Buffer | string): Promise<string> {
    const { requestUpload: ticket } = await this.ask(documents.requestUpload, { contentType });
    const response = await fetch(ticket.url, { method: "PUT", headers: { "content-type": contentType }, body: typeof data === "string" ? data : new Uint8Array(data) });
    assert.equal(response.status, 200);
    return ticket.key;
  }

  async publish(id: string): Promise<void> {
    const { post } = await this.ask(documents.post, { id });
    await this.ask(documents.publish, { id, at: post!.lastUpdateTime });
  }

  /** Subscribes to changes of a collection's posts; a query on the same socket confirms that the subscription has started. */
  async listen(collectionId: string): Promise<News> {
    const news = new News();
    this.socket.subscribe<ChangesSubscription>(
      { query: print(documents.changes), variables: { collectionId } },
      { next: ({ data }) => data && news.push(data.postChanged), error: () => {}, complete: () => {} },
    );
    await new Promise<void>((resolve, reject) => {
      this.socket.subscribe({ query: "{ me { id } }" }, { next: () => resolve(), error: reject, complete: () => {} });
    });
    return news;
  }

  async close(): Promise<void> {
    await this.socket.dispose();
  }
}

type Change = ChangesSubscription["postChanged"];

class News {
  private readonly heard: Change[] = [];
  private waiting: (() => void) | undefined;

  push(change: Change): void {
    this.heard.push(change);
    this.waiting?.();
  }

  /** Waits until events have reported the given states of a post. */
  async until(state: Partial<Change>): Promise<void> {
    for (;;) {
      while (this.heard.length > 0) {
        const change = this.heard.shift()!;
        if (Object.entries(state).every(([field, value]) => change[field as keyof Change] === value)) return;
      }
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
  }
}

const download = async (url: string): Promise<Buffer> => {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};

const csv = `Name,Household,Birth,Place,Page
"Tolliver, Ann",7,abt 1848,"Autauga Co, Ala",pages/1.png
"Tolliver, Ben",7,3 Mar 1850,Nowhere,pages/1.png
"Okafor, Zoë",8,1851,,pages/2.png
"Weir, Jane",,1852,,
`;

test("a census, from a draft to publication and back", { timeout: 60_000 }, async () => {
  const [oz, ed, con, rea, gus] = await Promise.all(["oz", "ed", "con", "rea", "gus"].map((name) => App.signIn(name)));
  assert.ok(oz && ed && con && rea && gus);
  for (const [app, level] of [[ed, "EDITOR"], [con, "CONTRIBUTOR"], [gus, "GUEST"]] as [App, AuthLevel][]) {
    await oz.ask(documents.setLevel, { id: app.id, level });
  }
  await assert.rejects(ed.ask(documents.setLevel, { id: ed.id, level: "ADMIN" }), /FORBIDDEN/);

  // The gazetteer suggests names to everyone.
  const weights = [40, 30, 20, 10];
  await oz.ask(documents.loadPlaces, {
    places: [
      { id: "1", name: "United States", fullName: "United States", level: 1, countryId: "1" },
      { id: "2", name: "Alabama", fullName: "Alabama, United States", level: 2, locatedInId: "1", countryId: "1", altNames: ["Ala"] },
      { id: "3", name: "Autauga", fullName: "Autauga, Alabama, United States", level: 3, locatedInId: "2", countryId: "1", types: ["County"], count: 9 },
    ],
    words: [["unitedstates", "1"], ["alabama", "2"], ["ala", "2"], ["autauga", "3"]].map(([word, id]) => ({ word: word!, placeIds: [id!] })),
    settings: {
      abbreviations: { co: "county" }, typeWords: ["county"], noiseWords: [], largeCountries: ["1"], mediumCountries: [], usCountryId: "1",
      largeCountryLevelWeights: weights, mediumCountryLevelWeights: weights, smallCountryLevelWeights: weights, primaryMatchWeight: 5,
    },
  });
  const { places } = await request(documents.suggest, { prefix: "aut, ala" });
  assert.deepEqual(places, [{ fullName: "Autauga, Alabama, United States", count: 9, locatedIn: { name: "Alabama" } }]);
  await assert.rejects(request(documents.search, { input: { household: "7" } }), /401/);

  // An editor defines a collection; its images and details are for readers.
  const { createCategory: category } = await ed.ask(documents.createCategory, { name: "Censuses" });
  await assert.rejects(ed.ask(documents.createCategory, { name: "CENSUSES" }), /CONFLICT NAME_TAKEN/);
  const { createCollection: collection } = await ed.ask(documents.createCollection, {
    input: {
      name: "Census of 1860", categoryIds: [category.id], privacyLevel: 3, citationTemplate: "Census of 1860, {{ Name }}",
      fields: ["Name", "Household", "Birth", "Place", "Page"].map((header) => ({ header })), householdNumberHeader: "Household", imagePathHeader: "Page",
      mappings: [["Name", "fullName"], ["Birth", "birthDate"], ["Place", "birthPlace"]].map(([header, dbField]) => ({ header: header!, dbField: dbField! })),
    },
  });
  assert.deepEqual([collection.privateImages, collection.privateDetail, collection.privateSearch], [true, true, false]);
  assert.deepEqual(collection.categories, [{ name: "Censuses", collectionCount: 1 }]);

  // A contributor uploads the records and their images, which the server loads.
  const recordsKey = await con.upload("text/csv", csv);
  const imagesKey = await con.upload("application/zip", zip({ "pages/1.png": png(640, 400, 90), "pages/2.png": png(320, 400, 200) }));
  const news = await ed.listen(collection.id);
  const { createPost: made } = await con.ask(documents.createPost, { input: { name: "Autauga", collectionId: collection.id, recordsKey, imagesKeys: [imagesKey] } });
  assert.equal(made.postStatus, "DRAFT");
  await news.until({ id: made.id, recordsStatus: "READY", imagesStatus: "READY" });
  const { post } = await rea.ask(documents.post, { id: made.id });
  assert.deepEqual([post!.postStatus, post!.recordsError, post!.imagesError, post!.recordCount, post!.collection.postCount], ["DRAFT", null, null, 4, 1]);
  assert.deepEqual(post!.records.items[0]!.dataMap, {
    Name: "Tolliver, Ann", Household: "7", Birth: "abt 1848", birthDate_std: "1848", Place: "Autauga Co, Ala", birthPlace_std: "Autauga, Alabama, United States", Page: "pages/1.png",
  });
  assert.deepEqual(post!.households.items.map((h) => [h.number, h.records.map((r) => r.dataMap.Name)]), [["7", ["Tolliver, Ann", "Tolliver, Ben"]], ["8", ["Okafor, Zoë"]]]);

  // Only contributors find drafts; only editors publish.
  assert.equal((await rea.ask(documents.search, { input: { postId: made.id } })).searchRecords.items.length, 0);
  assert.equal((await con.ask(documents.search, { input: { postId: made.id } })).searchRecords.items.length, 2);
  await assert.rejects(con.publish(made.id), /FORBIDDEN/);
  await ed.publish(made.id);
  await news.until({ id: made.id, postStatus: "PUBLISHED" });
  await assert.rejects(ed.ask(documents.deletePost, { id: made.id }), /PRECONDITION_FAILED BAD_TRANSITION/);
  await ed.close();

  // The process is killed, as in a power failure, and nothing is lost.
  await server.crashAndRestart();

  const first = (await rea.ask(documents.search, { input: { categoryId: category.id } })).searchRecords;
  const second = (await rea.ask(documents.search, { input: { categoryId: category.id }, nextToken: first.nextToken! })).searchRecords;
  assert.deepEqual([...first.items, ...second.items].map((hit) => hit.record.data[0]!.value), ["Tolliver, Ann", "Tolliver, Ben", "Okafor, Zoë", "Weir, Jane"]);
  assert.equal(second.nextToken, null);
  const [zoe] = (await rea.ask(documents.search, { input: { collectionId: collection.id, text: "okafor ZOE" } })).searchRecords.items;
  assert.deepEqual([zoe!.matched, zoe!.record.citation, zoe!.record.imagePath], [["Name"], "Census of 1860, Okafor, Zoë", "pages/2.png"]);
  const there = await rea.ask(documents.search, { input: { collectionId: collection.id, place: "Alabama" } });
  assert.deepEqual(there.searchRecords.items.map((hit) => hit.record.data[0]!.value), ["Tolliver, Ann"]);
  const { record: ann } = await rea.ask(documents.record, { id: there.searchRecords.items[0]!.record.id });
  assert.deepEqual([ann!.post!.name, ann!.household!.number, ann!.household!.records.length, ann!.labels[0]], ["Autauga", "7", 2, { header: "Name", label: "fullName" }]);

  const show = async (thumbnail: boolean) => jpegSize(await download((await rea.ask(documents.image, { postId: made.id, path: ann!.imagePath!, thumbnail })).imageUrl.url));
  assert.deepEqual(await show(false), { width: 640, height: 400 });
  assert.deepEqual(await show(true), { width: 160, height: 100 });
  assert.equal((await download((await rea.ask(documents.content, { key: recordsKey })).contentUrl.url)).toString(), csv);

  // A guest finds only that the records exist, and nothing by what is hidden from them.
  assert.deepEqual((await gus.ask(documents.search, { input: { household: "7" } })).searchRecords.items, []);
  const hits = (await gus.ask(documents.search, { input: { collectionId: collection.id } })).searchRecords.items;
  assert.equal(hits.length, 2); // a page
  assert.deepEqual(hits.map(({ matched, record: { id: _, ...seen } }) => ({ matched, ...seen })), Array(hits.length).fill({ matched: [], restricted: true, citation: null, imagePath: null, data: [] }));
  await assert.rejects(gus.ask(documents.record, { id: hits[0]!.record.id }), /FORBIDDEN/);
  await assert.rejects(gus.ask(documents.image, { postId: made.id, path: "pages/1.png" }), /FORBIDDEN/);

  // After unpublishing it is no longer found; after deletion nothing of it is left.
  const { post: published } = await ed.ask(documents.post, { id: made.id });
  await assert.rejects(ed.ask(documents.unpublish, { id: made.id, at: post!.lastUpdateTime }), /CONCURRENT_UPDATE/);
  const back = await ed.listen(collection.id);
  await ed.ask(documents.unpublish, { id: made.id, at: published!.lastUpdateTime });
  await back.until({ id: made.id, postStatus: "DRAFT" });
  assert.equal((await rea.ask(documents.search, { input: { household: "7" } })).searchRecords.items.length, 0);
  await assert.rejects(ed.ask(documents.deleteAll, { collectionId: collection.id, categoryId: category.id }), /PRECONDITION_FAILED IN_USE/);
  assert.equal((await ed.ask(documents.deletePost, { id: made.id })).deletePost, true);
  assert.equal((await ed.ask(documents.post, { id: made.id })).post, null);
  await assert.rejects(rea.ask(documents.content, { key: recordsKey }), /NOT_FOUND/);
  await assert.rejects(rea.ask(documents.image, { postId: made.id, path: "pages/1.png" }), /NOT_FOUND/);
  assert.deepEqual(await ed.ask(documents.deleteAll, { collectionId: collection.id, categoryId: category.id }), { deleteCollection: true, deleteCategory: true });
  await ed.close();
});
