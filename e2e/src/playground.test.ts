import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Browser, chromium, type Page } from "playwright-core";

import { ask, signIn, signUp } from "./account.ts";
import { Server } from "./server.ts";

const pictures = join(import.meta.dirname, "../out");

let server: Server;
let browser: Browser;
let axe: string;

before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
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
  await shows(page, '"username": "ana"');
  const userId = await page.locator(".result-window .CodeMirror-code").innerText()
    .then((text) => /us-east-1:[0-9a-f-]{36}/.exec(text)?.[0]);
  assert.ok(userId, "the result shows who is signed in");

  await execute(page, "News", `subscription News { onNotification(userId: "${userId}") { type userId } }`);
  while ((await server.openSubscriptions()) < 2) await page.waitForTimeout(20); // the other one is Live's
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

const phone = { name: "phone", width: 390 };
const desk = { name: "desk", width: 1280 };

/** Opens the playground and signs a first user up. */
async function opened(url: string, { width }: { width: number }, username: string, colorScheme: "light" | "dark" = "light"): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(url);
  await page.getByLabel("Username").fill(username);
  return page;
}

async function signUpIn(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("button", { name: `${username}, active` }).waitFor();
}

for (const device of [desk, phone]) {
  test(`three clicks after the first user, their feed moves, at a ${device.name}`, async () => {
    const first = `first_${device.name}`;
    const page = await opened(server.url, device, first);
    await signUpIn(page, first);

    // It opens with an answer, and with samples to choose from.
    await shows(page, `"username": "${first}"`);
    assert.ok(await page.getByRole("region", { name: "Samples" }).getByRole("button", { name: /^Post a picture/ }).isVisible());
    const live = page.getByRole("region", { name: "Live" });
    await live.getByRole("status").filter({ hasText: `for ${first}` }).waitFor();
    const feed = page.getByRole("region", { name: `Feed of ${first}` });
    await feed.getByText("Empty until").waitFor();

    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByRole("button", { name: "Sign up" }).click();
    await live.getByRole("button", { name: /^Post a picture as/ }).filter({ hasNotText: first }).click();

    const pictured = feed.getByRole("listitem").getByRole("img", { name: "The hills at" });
    await pictured.waitFor();
    await page.waitForFunction((img) => (img as HTMLImageElement).naturalWidth > 0, await pictured.elementHandle());
    await page.getByRole("region", { name: "News" }).getByRole("listitem").filter({ hasText: first }).filter({ hasText: "USER_FEED_CHANGED" }).first().waitFor();
    await page.screenshot({ path: join(pictures, `playground-live-${device.name}.png`), fullPage: true });

    // The comment sample works unmodified.
    await page.getByRole("button", { name: /^Comment/ }).click();
    await page.locator(".graphiql-tab").filter({ hasText: "Comment" }).waitFor();
    await page.getByRole("button", { name: /^Execute query/ }).click();
    await shows(page, '"text": "Well said."');
    await page.context().close();
  });

  test(`whoever becomes active is who the answer is about, at a ${device.name}`, async () => {
    const [ana, ben] = [`ana_${device.name}`, `ben_${device.name}`];
    const page = await opened(server.url, device, ana);
    await signUpIn(page, ana);
    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByLabel(`Follows ${ana}`).uncheck();
    await signUpIn(page, ben);
    await shows(page, `"username": "${ben}"`);
    await shows(page, '"followedsCount": 0');
    await page.getByRole("button", { name: `Become ${ana}` }).click();
    await shows(page, `"username": "${ana}"`);
    await page.context().close();
  });
}

test("an editor lets the keyboard out after Escape, and says so", async () => {
  const page = await opened(server.url, desk, "keys");
  await signUpIn(page, "keys");
  await shows(page, '"username": "keys"');
  const editor = page.locator(".graphiql-query-editor");
  const text = () => page.evaluate(() => (document.querySelector(".graphiql-query-editor .CodeMirror") as any).CodeMirror.getValue() as string);
  const inEditor = () => page.evaluate(() => document.activeElement!.closest(".graphiql-query-editor") !== null);
  const says = (hint: string) => page.getByRole("status").filter({ hasText: hint }).waitFor();

  await editor.locator(".CodeMirror-line").first().click();
  await says("press Esc, then Tab");
  const before = await text();
  await page.keyboard.press("Tab");
  assert.ok(await inEditor(), "Tab is a key of the editor");
  assert.notEqual(await text(), before);
  const indented = await text();
  await page.keyboard.press("Escape");
  await says("Tab leaves the editor now");
  await page.keyboard.press("Tab");
  assert.equal(await text(), indented, "Tab has typed nothing");
  for (let n = 0; n < 5 && (await inEditor()); n++) await page.keyboard.press("Tab"); // the buttons beside the text
  assert.equal(await inEditor(), false);
  await says("press Esc, then Tab");

  // Back in the editor, Tab indents again. From the answer, where nothing can be typed, it always leaves.
  await editor.locator(".CodeMirror-line").first().click();
  await page.keyboard.press("Tab");
  assert.ok(await inEditor());
  assert.notEqual(await text(), indented);
  await page.locator(".result-window .CodeMirror-line").first().click();
  for (let n = 0; n < 2; n++) await page.keyboard.press("Tab"); // its scrolling part comes first
  assert.ok(await page.evaluate(() => document.activeElement!.closest(".result-window") === null));
  await page.context().close();
});

test("the samples post a picture, and show it in the feed", async () => {
  const page = await opened(server.url, desk, "cleo");
  await signUpIn(page, "cleo");
  for (let n = 0; n < 3; n++) {
    await page.getByRole("region", { name: "Samples" }).getByRole("button", { name: /^Post a picture/ }).click();
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
  await page.context().close();
});

/** Takes a picture, and returns what keeps people from using the page, or makes it wider than the device. */
async function inspect(page: Page, state: string): Promise<string[]> {
  await page.screenshot({ path: join(pictures, `playground-${state}.png`), fullPage: true });
  // Playwright evaluates outside of the page's policy, which is what axe needs.
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<any> } }).axe.run();
    // The cursor scrolls an editor. It is in a text area beside the part that scrolls, where axe does not look for it.
    return violations.map(({ id, nodes }: any) => ({
      id,
      nodes: nodes.filter(({ target }: any) =>
        id !== "scrollable-region-focusable" || !document.querySelector(target[0])?.matches(".graphiql-editors .CodeMirror-scroll")),
    }));
  });
  const found = violations.flatMap(({ id, nodes }: any) => nodes.map(({ html, failureSummary }: any) => `${state}: ${id}: ${html} ${failureSummary}`));
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return width > 0 ? [...found, `${state} is ${width} px wider than the device`] : found;
}

const all = ["social", "communities", "messaging", "pantry", "archive"];

for (const device of [phone, desk]) {
  for (const colors of ["light", "dark"] as const) {
    test(`every panel can be used by all, at a ${device.name} in ${colors} colors`, async (t) => {
      const full = await Server.start("all");
      t.after(() => full.stop());
      const name = `${device.name}-${colors}`;
      const page = await opened(full.url, device, "ana", colors);
      t.after(() => page.context().close());
      const found: string[] = [];
      const look = async (state: string) => found.push(...(await inspect(page, `${name}-${state}`)));
      const press = (button: string | RegExp) => page.getByRole("button", { name: button, exact: typeof button === "string" }).click();

      await look("welcome");
      await press("Sign in");
      await look("sign-in");
      await page.getByLabel("Username, e-mail or user id").fill("nobody");
      await page.getByLabel("Password").fill("wrong horse");
      await page.locator("form").getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await look("refused");
      await press("New user");
      await signUpIn(page, "ana");
      await shows(page, '"username": "ana"');
      await look("opened");

      await press("Add a user");
      await look("add");
      await page.getByLabel("Username").fill("ben");
      await press("Sign up");
      await press("Post a picture as ben");
      await page.getByRole("region", { name: "Feed of ana" }).getByRole("img").waitFor();
      await look("live");
      await press("ben, active");
      await page.getByText("Queries and subscriptions run as").waitFor();
      await look("account");
      await page.keyboard.press("Escape");
      await press("Live");
      await look("live-closed");

      for (const panel of ["Documentation Explorer", "History"]) {
        await press(`Show ${panel}`);
        await page.locator(".graphiql-plugin").filter({ hasText: /Docs|History/ }).waitFor();
        await look(panel.split(" ")[0]!.toLowerCase());
      }
      await press("Hide History");
      await look("no-panel");
      for (const [button, dialog] of [["Open short keys dialog", "Short Keys"], ["Open settings dialog", "Settings"]] as const) {
        await press(button);
        await page.getByRole("dialog").filter({ hasText: dialog }).waitFor();
        await look(button.split(" ")[1]!);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await press("Show Samples");
      await press(/^Follow somebody/);
      await page.locator(".graphiql-tab").filter({ hasText: "Follow" }).waitFor();
      await press(/^Execute query/);
      await shows(page, '"errors"'); // they follow each other already
      await look("error");
      await press("New tab");
      await look("tabs");

      for (const system of all.slice(1)) {
        await page.getByRole("navigation", { name: "Systems" }).getByRole("button", { name: system }).click();
        await page.getByRole("button", { name: system, exact: true }).and(page.locator("[aria-current=true]")).waitFor();
        await shows(page, '"data"');
        await look(system);
      }
      assert.deepEqual(found, []);
    });
  }
}
