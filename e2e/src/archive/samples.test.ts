import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Browser, chromium } from "playwright-core";

import { signIn } from "../account.ts";
import { Server } from "../server.ts";

const pictures = join(import.meta.dirname, "../../out");

let server: Server;
let browser: Browser;

before(async () => {
  await mkdir(pictures, { recursive: true });
  process.env.STOA_ARCHIVE_LEVEL = "editor";
  server = await Server.start("archive");
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  delete process.env.STOA_ARCHIVE_LEVEL;
  await browser.close();
  await server.stop();
});

test("the samples of the archive work as they stand, in the order in which they need each other", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(server.url);
  await page.getByLabel("Username").fill("ana");
  await page.getByRole("button", { name: "Sign up" }).click();

  const open = async (title: string, operation: string) => {
    await page.getByRole("button", { name: new RegExp(`^${title}`) }).click();
    await page.locator(".graphiql-tab").filter({ hasText: operation }).waitFor({ timeout: 5000 });
  };
  const run = async (title: string, operation: string, ...shows: string[]) => {
    await open(title, operation);
    const answered = page.waitForResponse((response) => response.request().postDataJSON()?.operationName === operation);
    await page.getByRole("button", { name: /^Execute query/ }).click();
    const answer = (await (await answered).json()) as { errors?: unknown };
    assert.equal(answer.errors, undefined, `${title}: ${JSON.stringify(answer)}`);
    for (const text of shows) assert.ok(JSON.stringify(answer).includes(text), `${title} shows ${JSON.stringify(answer)}, want ${text}`);
  };

  await run("Look around", "LookAround", '"level":"EDITOR"');
  await run("Suggest places", "Suggest", '"places":[]');
  await run("Standardise a place", "Standardise", '"standardizePlace":null');
  await run("Make a category", "MakeCategory", "Censuses, ");
  await run("Make a collection", "MakeCollection", '"collectionCount":1');
  await run("Make a post", "MakePost", '"postStatus":"DRAFT"', '"postCount":1');
  await run("Import records", "Import", '"created":3', '"households":2', "Tolliver, Ann");
  await run("Publish", "Publish", '"postStatus":"TO_PUBLISH"');
  await run("Search records", "Search", "Census of 1860, Tolliver, Ann", '"matched":["Birth"');
  await run("A record and its household", "ARecord", '"number":"7"', "Tolliver, Ben");
  await run("Take back", "TakeBack", '"postStatus":"TO_UNPUBLISH"');
  await run("Upload a file", "Upload", "/archive/media/");
  await run("Look around", "LookAround", '"recordCount":3');

  await open("What happens to posts", "PostChanged");
  await page.getByRole("button", { name: /^Execute query/ }).click();
  while ((await server.openSubscriptions()) === 0) await page.waitForTimeout(20);
  const { accessToken } = await signIn(server, { email: "ana@example.com", password: "open sesame" });
  const ask = async (query: string) => {
    const response = await fetch(`${server.url}/archive/graphql`, {
      method: "POST", headers: { "content-type": "application/json", authorization: accessToken }, body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { data: { posts: { items: { id: string; lastUpdateTime: string }[] } } }).data;
  };
  const [post] = (await ask("{ posts { items { id lastUpdateTime } } }")).posts.items;
  await ask(`mutation { publishPost(id: ${post!.id}, lastUpdateTime: "${post!.lastUpdateTime}") { id } }`);
  await page.locator(".result-window .CodeMirror-code").filter({ hasText: '"postStatus": "PUBLISHED"' }).waitFor({ timeout: 5000 });
  await page.screenshot({ path: join(pictures, "playground-archive.png") });
  await page.close();
});
