import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Browser, chromium, type Locator, type Page } from "playwright-core";

import { Mailbox } from "./mailbox.ts";
import { Server } from "./server.ts";

const pictures = join(import.meta.dirname, "../out");
const site = join(import.meta.dirname, "../../examples/web/dist");
const photo = join(import.meta.dirname, "../../internal/media/picture/testdata/progressive.jpg");

let server: Server;
let browser: Browser;
let axe: string;

before(async () => {
  await mkdir(pictures, { recursive: true });
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  server = await Server.start("social", "--site", site);
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

/** A person at a device. */
class Person {
  readonly problems: string[] = [];
  readonly origins = new Set<string>();
  /** Whether requests may fail. */
  offline = false;

  private constructor(readonly page: Page, readonly name: string) {
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !this.offline) this.problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => {
      if (/^(http|ws)/.test(request.url())) this.origins.add(new URL(request.url()).origin);
    });
    page.on("dialog", (dialog) => void dialog.accept());
  }

  static async open(name: string, width: number, colorScheme: "light" | "dark"): Promise<Person> {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, reducedMotion: "reduce" });
    return new Person(await context.newPage(), name);
  }

  /** Signs up through the app's screens; a mailbox has the code that the server then asks for. */
  async join({ url }: Server, mailbox?: Mailbox): Promise<void> {
    const { page, name } = this;
    await page.goto(url);
    await page.getByLabel("E-mail").fill(`${name}@example.com`);
    await page.getByLabel("Password").fill("correct horse");
    await this.inspect("welcome");
    await page.getByRole("button", { name: "Sign up" }).click();
    if (mailbox) {
      await page.getByLabel("Code").fill(await mailbox.nextCode());
      await this.inspect("confirm");
      await page.getByRole("button", { name: "Confirm" }).click();
    }
    await page.getByLabel("Username").fill(name);
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("heading", { name: "It is quiet here" }).waitFor();
  }

  async choose(label: string): Promise<void> {
    await this.page.getByRole("navigation").getByRole("link", { name: label }).click();
  }

  /** Opens somebody's profile by searching for them. */
  async visit(name: string): Promise<void> {
    await this.choose("People");
    await this.page.getByLabel("Search people").fill(name);
    await this.page.getByRole("main").getByRole("link", { name: `@${name}` }).click();
    await this.page.getByRole("heading", { level: 1, name }).waitFor();
  }

  post(text: string): Locator {
    return this.page.getByRole("article").filter({ hasText: text });
  }

  /** Takes a picture, and checks that the screen can be used by all and is no wider than the device. */
  async inspect(screen: string): Promise<void> {
    await this.page.screenshot({ path: join(pictures, `example-${screen}-${this.name}.png`) });
    await this.page.evaluate(axe);
    const { violations } = await this.page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<any> } }).axe.run());
    assert.deepEqual(violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(" ")}`), [], `${screen} of ${this.name}`);
    assert.ok(await this.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${screen} of ${this.name} is wider than the device`);
  }

  /** Does something while at most so many bytes are sent each second. */
  async slowly(bytes: number, action: () => Promise<void>): Promise<void> {
    const network = await this.page.context().newCDPSession(this.page);
    await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes });
    await action();
    await network.detach();
  }

  async setOffline(offline: boolean): Promise<void> {
    if (offline) this.offline = true;
    await this.page.context().setOffline(offline);
  }
}

/** A JPEG of noise, which cannot be compressed to little. */
async function noise(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 800, height: 600 });
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(canvas.width, canvas.height);
    for (let i = 0, seed = 1; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : (seed = (seed * 16807) % 2147483647) % 256;
    context.putImageData(image, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.9);
  });
  return Buffer.from(url.split(",")[1]!, "base64");
}

test("the example app: two people meet, on a phone and at a desk", async (t) => {
  const ana = await Person.open("ana", 390, "dark");
  const ben = await Person.open("ben", 1280, "light");
  t.after(async () => { // shows where the journey ended
    for (const { page, name, problems } of [ana, ben]) {
      if (problems.length) t.diagnostic(`${name}: ${problems.join("\n")}`);
      await page.screenshot({ path: join(pictures, `example-end-${name}.png`) });
    }
  });
  await ana.join(server);
  await ben.join(server);

  // Ana gives herself a picture and makes her account private.
  await ana.choose("ana");
  await ana.page.getByRole("link", { name: "Edit profile" }).click();
  await ana.page.getByLabel("Change picture").setInputFiles(photo);
  await ana.page.getByText("That suits you.").waitFor();
  await ana.page.getByLabel("Name").fill("Ana Lima");
  await ana.page.getByLabel("About you").fill("Light, mostly.");
  await ana.page.getByLabel(/^Private account/).check();
  await ana.page.getByRole("button", { name: "Save" }).click();
  await ana.page.getByText("Saved.").waitFor();
  await ana.inspect("settings");

  // Ben asks to follow; Ana sees the request arrive and accepts.
  await ben.visit("ana");
  await ben.page.getByText("Only followers see the posts").waitFor();
  await ben.page.getByRole("main").getByRole("button", { name: "Follow ana" }).click();
  await ben.page.getByRole("main").getByRole("button", { name: "Requested ana" }).waitFor();
  await ana.page.getByRole("navigation").getByRole("link", { name: /Activity\W*1 new/ }).waitFor();
  await ana.choose("Activity");
  await ana.page.getByRole("button", { name: "Accept ben" }).waitFor();
  await ana.inspect("requests");
  await ana.page.getByRole("button", { name: "Accept ben" }).click();
  await ana.page.getByRole("heading", { name: "All caught up" }).waitFor();

  // Ana posts a text; Ben's feed moves by itself.
  await ben.choose("Feed");
  await ana.choose("Post");
  await ana.page.getByLabel("Text").fill("Still dark");
  await ana.page.getByRole("main").getByRole("button", { name: "Post" }).click();
  await ben.post("Still dark").waitFor();

  // Ana posts a large picture over a slow network, and sees how far it is; Ben's feed moves again.
  await ana.choose("Post");
  await ana.page.getByLabel("Text").fill("First light, @ben !");
  await ana.page.getByLabel("Picture").setInputFiles({ name: "noise.jpg", mimeType: "image/jpeg", buffer: await noise(ana.page) });
  await ana.inspect("compose");
  await ana.slowly(100_000, async () => {
    await ana.page.getByRole("main").getByRole("button", { name: "Post" }).click();
    await ana.page.waitForFunction(() => [...document.querySelectorAll("progress")].some(({ value }) => value > 0 && value < 1));
    await ana.inspect("upload");
  });
  await ben.post("First light").waitFor();
  await ben.page.waitForFunction(() => [...document.querySelectorAll<HTMLImageElement>(".picture")].every((img) => img.naturalWidth > 0));
  await ben.inspect("feed");

  // Ben likes and comments; Ana is told, and sees both.
  await ben.post("First light").getByRole("button", { name: "Like" }).click();
  await ben.post("First light").getByRole("button", { name: "Like", pressed: true }).waitFor();
  await ben.post("First light").getByRole("link", { name: /^Comments/ }).click();
  await ben.page.getByLabel("Comment", { exact: true }).fill("What a morning");
  await ben.page.getByRole("button", { name: "Send" }).click();
  await ben.page.getByRole("listitem").filter({ hasText: "What a morning" }).waitFor();
  await ben.inspect("post");
  await ana.choose("Activity");
  await ana.page.getByText("You have new likes").waitFor();
  await ana.inspect("cards");
  await ana.page.getByRole("link", { name: /1 new comment/ }).click();
  await ana.page.getByRole("listitem").filter({ hasText: "What a morning" }).waitFor();
  await ana.post("First light").getByRole("button", { name: "Like, 1" }).waitFor();

  // They chat, live on both sides, with a count of what is unread.
  await ana.choose("Feed");
  await ben.visit("ana");
  await ben.page.getByRole("link", { name: "Message" }).click();
  await ben.page.getByLabel("Message", { exact: true }).fill("Are you there?");
  await ben.page.getByRole("button", { name: "Send" }).click();
  await ben.page.getByRole("listitem").filter({ hasText: "Are you there?" }).waitFor();
  await ana.page.getByRole("navigation").getByRole("link", { name: /Chats\W*1 new/ }).waitFor();
  await ana.choose("Chats");
  await ana.page.getByText("1 unread").waitFor();
  await ana.inspect("chats");
  await ana.page.getByRole("link", { name: /Are you there/ }).click();
  await ana.page.getByLabel("Message", { exact: true }).fill("Always");
  await ana.page.getByRole("button", { name: "Send" }).click();
  await ben.page.getByRole("listitem").filter({ hasText: "Always" }).waitFor();
  await ana.page.getByRole("navigation").getByRole("link", { name: "Chats", exact: true }).waitFor();

  // Ana loses the network. What she writes is kept, and what Ben writes is not missed.
  await ana.setOffline(true);
  await ana.page.getByText("You are offline").waitFor();
  await ana.page.getByLabel("Message", { exact: true }).fill("In the tunnel");
  await ana.page.getByRole("button", { name: "Send" }).click();
  await ana.page.getByRole("button", { name: "Not sent. Try again" }).waitFor();
  await ana.inspect("offline");
  await ben.page.getByLabel("Message", { exact: true }).fill("Hello?");
  await ben.page.getByRole("button", { name: "Send" }).click();
  await ben.page.getByRole("listitem").filter({ hasText: "Hello?" }).waitFor();
  await ana.setOffline(false);
  await ben.page.getByRole("listitem").filter({ hasText: "In the tunnel" }).waitFor({ timeout: 30_000 });
  await ana.page.getByRole("listitem").filter({ hasText: "Hello?" }).waitFor({ timeout: 30_000 });
  await ana.page.getByText("You are offline").waitFor({ state: "detached" });
  assert.equal(await ana.page.getByRole("listitem").filter({ hasText: "In the tunnel" }).count(), 1, "a message is sent once");
  ana.offline = false;
  await ana.inspect("chat");
  await ben.inspect("chat");

  // Ben reports the post, and blocks Ana: her posts leave his feed.
  await ben.choose("Feed");
  await ben.post("First light").getByLabel("What to do with this post").click();
  await ben.page.getByRole("button", { name: "Report" }).click();
  await ben.page.getByText("Moderators will look").waitFor();
  await ben.post("First light").getByLabel("What to do with this post").click();
  await ben.page.getByRole("button", { name: "Block ana" }).click();
  await ben.page.getByText("ana is blocked.").waitFor();
  await ben.post("First light").waitFor({ state: "detached" });

  // A reload keeps the session; after signing out it is gone.
  await ana.page.reload();
  await ana.choose("ana");
  await ana.page.getByText("Light, mostly.").waitFor();
  await ana.inspect("profile");
  await ana.page.getByRole("link", { name: "Settings" }).click();
  await ana.page.getByRole("button", { name: "Sign out" }).click();
  await ana.page.getByRole("button", { name: "Sign up" }).waitFor();

  for (const person of [ana, ben]) {
    assert.deepEqual(person.problems, [], person.name);
    assert.deepEqual([...person.origins].filter((origin) => new URL(origin).host !== new URL(server.url).host), [], "everything comes from the server itself");
  }
});

test("the example app: codes from the mail confirm an address and reset a password", async (t) => {
  const mailbox = await Mailbox.open();
  t.after(() => mailbox.close());
  const guarded = await Server.start("social", "--site", site, "--identity", "local", "--mailer", mailbox.url, "--mail-from", "portico@example.com",
    "--app-url", "https://portico.example", "--app-name", "Portico");
  t.after(() => guarded.stop());
  const cleo = await Person.open("cleo", 390, "light");
  t.after(() => cleo.page.context().close());
  cleo.offline = true; // the server's answers that the address is not confirmed and that the password is wrong are logged as errors
  await cleo.join(guarded, mailbox);

  await cleo.choose("cleo");
  await cleo.page.getByRole("link", { name: "Settings" }).click();
  await cleo.page.getByRole("button", { name: "Sign out" }).click();
  await cleo.page.getByRole("button", { name: "I have an account" }).click();
  await cleo.page.getByLabel("E-mail").fill("cleo@example.com");
  await cleo.page.getByRole("button", { name: "I forgot my password" }).click();
  await cleo.page.getByLabel("Code").fill(await mailbox.nextCode());
  await cleo.page.getByLabel("Password").fill("battery staple");
  await cleo.inspect("reset");
  await cleo.page.getByRole("button", { name: "Set password" }).click();
  await cleo.page.getByRole("heading", { name: "It is quiet here" }).waitFor();
  assert.deepEqual(cleo.problems, []);
  assert.deepEqual([...cleo.origins].filter((origin) => new URL(origin).host !== new URL(guarded.url).host), [], "everything comes from the server itself");
});
