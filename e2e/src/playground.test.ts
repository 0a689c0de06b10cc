import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Browser, chromium, type Page } from "playwright-core";

import { ask, signIn, signUp } from "./account.ts";
import { Server } from "./server.ts";

const pictures = join(import.meta.dirname, "../out");

let server: Server;
let browser: Browser;

before(async () => {
  await mkdir(pictures, { recursive: true });
  server = await Server.start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
});

after(async () => {
  await browser.close();
  await server.stop();
});

/** Enters an operation in GraphiQL's editor, waits until GraphiQL has parsed its name, and runs it. */
async function execute(page: Page, name: string, document: string): Promise<void> {
  await page.evaluate((text) => {
    const editor = globalThis.document.querySelector(".graphiql-query-editor .CodeMirror");
    (editor as unknown as { CodeMirror: { setValue(text: string): void } }).CodeMirror.setValue(text);
  }, document);
  await page.locator(".graphiql-tab").filter({ hasText: name }).waitFor({ timeout: 5000 });
  await page.getByRole("button", { name: /^Execute query/ }).click();
}

/** Waits until GraphiQL's result shows a text. */
async function shows(page: Page, text: string): Promise<void> {
  await page.locator(".result-window .CodeMirror-code").filter({ hasText: text }).waitFor({ timeout: 5000 });
}

test("GraphiQL signs a user up, queries, and runs a subscription", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).origin));
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));

  await page.goto(server.url);
  await page.getByLabel("Username").fill("ana");
  await page.getByRole("button", { name: "Sign up" }).click();

  await page.locator(".graphiql-query-editor .CodeMirror").waitFor();
  await execute(page, "Whoever", "query Whoever { self { userId username email } }");
  await shows(page, '"username": "ana"');  await shows(page, '"username": "ana"');
  const userId = await page.locator(".result-window .CodeMirror-code").innerText()
    .then((text) => /us-east-1:[0-9a-f-]{36}/.exec(text)?.[0]);
  assert.ok(userId, "the result shows who is signed in");

  await execute(page, "News", `subscription News { onNotification(userId: "${userId}") { type userId } }`);
  while ((await server.openSubscriptions()) === 0) await page.waitForTimeout(20);
  await page.screenshot({ path: join(pictures, "playground-waiting.png") });

  const ben = await signUp(server, "ben");
  await ask(server, ben, `mutation { createCognitoOnlyUser(username: "ben") { userId } }`);
  const ana = await signIn(server, { username: "ana", password: "open sesame" });
  await ask(server, ana, `mutation { followUser(userId: "${ben.userId}") { userId } }`);
  await shows(page, "USER_FEED_CHANGED");
  await page.screenshot({ path: join(pictures, "playground-subscription.png") });

  assert.deepEqual([...new Set(requests)], [server.url], "everything comes from the binary itself");
  assert.deepEqual(problems, []);
});

for (const [name, width] of [["desk", 1280], ["phone", 390]] as const) {
  test(`one page shows what ben is told while ana posts, ${name} width`, async () => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const [ana, ben] = [`ana_${name}`, `ben_${name}`];
    const signUpInPage = async (username: string) => {
      await page.getByLabel("Username").fill(username);
      await page.getByRole("button", { name: "Sign up" }).click();
      await page.getByRole("button", { name: `${username}, active` }).waitFor();
    };
    await page.goto(server.url);
    await signUpInPage(ben);
    await page.getByRole("button", { name: "Add a user" }).click();
    await signUpInPage(ana);
    const [asAna, asBen] = await Promise.all([ana, ben].map((username) => signIn(server, { username, password: "open sesame" })));
    await ask(server, asBen!, `mutation { followUser(userId: "${asAna!.userId}") { userId } }`);

    await page.getByRole("button", { name: "Wait for news" }).click();
    await page.getByRole("status").filter({ hasText: `${ben}, ${ana}` }).waitFor();
    await execute(page, "Write", `mutation Write { addPost(postId: "news-${name}", postType: TEXT_ONLY, text: "News") { postStatus } }`);
    const news = page.getByRole("region", { name: "News" }).getByRole("listitem");
    await news.filter({ hasText: ben }).filter({ hasText: "USER_FEED_CHANGED" }).waitFor({ timeout: 5000 });
    await page.screenshot({ path: join(pictures, `playground-news-${name}.png`) });

    // The comment sample works unmodified.
    await page.getByRole("button", { name: "Show Samples" }).click();
    await page.getByRole("button", { name: /^Comment/ }).click();
    await page.locator(".graphiql-tab").filter({ hasText: "Comment" }).waitFor({ timeout: 5000 });
    await page.getByRole("button", { name: "Hide Samples" }).click();
    await page.getByRole("button", { name: /^Execute query/ }).click();
    await shows(page, '"text": "Well said."');
    await page.close();
  });
}

test("the samples post a picture, and show it in the feed", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  await page.getByLabel("Username").fill("cleo");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("button", { name: "Show Samples" }).click();
  for (let n = 0; n < 3; n++) {
    await page.getByRole("button", { name: /^Post a picture/ }).click();
    await page.locator(".graphiql-tab").filter({ hasText: "Show" }).waitFor({ timeout: 5000 });
    const answered = page.waitForResponse((response) => response.url().endsWith("/graphql") && response.request().postData()!.includes("addPost"));
    await page.getByRole("button", { name: /^Execute query/ }).click();
    await answered;
    await shows(page, '"postStatus": "COMPLETED"');
  }
  await page.getByRole("button", { name: /^Read the feed/ }).click();
  await page.locator(".graphiql-tab").filter({ hasText: "Feed" }).waitFor({ timeout: 5000 });
  await page.getByRole("button", { name: /^Execute query/ }).click();
  const thumbnails = page.getByRole("region", { name: "Pictures" }).locator("img");
  await page.waitForFunction(() => document.querySelectorAll(".pictures img").length === 3);
  for (const thumbnail of await thumbnails.all()) {
    await page.waitForFunction((img) => (img as HTMLImageElement).naturalHeight === 64, await thumbnail.elementHandle());
  }
  await page.screenshot({ path: join(pictures, "playground-pictures.png") });
  await page.close();
});
