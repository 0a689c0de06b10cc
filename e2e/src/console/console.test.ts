import assert from "node:assert/strict";
import { mkdir, readFile, rm } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";

import { type Browser, chromium } from "playwright-core";

import { hills, out, type Screen, Seat } from "./seat.ts";
import { Service } from "./service.ts";
import { unzip } from "./unzip.ts";

let service: Service;
let browser: Browser;

before(async () => {
  await mkdir(out, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
  service = await Service.start();
  await service.welcome("Mona Keller", "Ana Lima", "Ben Okafor", "Cleo Marchetti", "Dario Voss", "Edda Nilsen", "Finn Hale", "Gaia Russo");
});

after(async () => {
  await browser.close();
  await service.stop();
});

const seats: Seat[] = [];

/** Shows where a test ended. */
afterEach(async () => {
  for (const seat of seats.splice(0)) await seat.leave();
});

async function sit(name: string, screen: Screen): Promise<Seat> {
  const seat = await Seat.open(browser, service.server.url, name, screen);
  seats.push(seat);
  return seat;
}

/** Keeps and removes what earlier tests have left. */
async function clear(): Promise<void> {
  const { cases } = await service.desk<{ cases: { items: { id: string; revision: number }[] } }>(`{ cases(limit: 100) { items { id revision } } }`);
  for (const one of cases.items) await service.desk(`mutation ($id: ID!, $revision: Int!) { decideCase(id: $id, revision: $revision, verdict: KEEP) { id } }`, one);
}

test("an operator's day at a desk", async () => {
  const olga = await sit("desk", { width: 1440, height: 900 });
  const { page } = olga;
  await page.goto(`${service.server.url}/console`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await olga.inspect("sign-in");
  await page.getByLabel("Username, e-mail or user id").fill("olga");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").filter({ hasText: "No account has this name and password" }).waitFor();
  olga.problems.length = 0; // Chromium reports the 401
  await olga.signIn("olga");
  await page.getByText("Nothing to decide").waitFor();
  await olga.inspect("nothing");

  // Cases arrive by themselves, most reports first.
  const quiet = await service.post("dario", "Selling my old bicycle, write to me.");
  await service.report("ana", quiet, "spam");
  await olga.line("old bicycle").waitFor();
  const picture = await service.post("ana", "Morning over the hills. <b>Not</b> my photo, found it online & liked it.", await hills(browser));
  await service.report("ben", picture, "This is my picture. I never allowed this.");
  await service.report("cleo", picture, "stolen");
  await service.report("finn", picture);
  await page.waitForFunction(() => document.querySelectorAll(".lines .line").length === 2);
  const rude = await service.post("ben", "Anybody who eats at that place deserves what they get. Losers.");
  await service.report("edda", rude, "insulting people");
  await service.report("gaia", rude, "rude");
  await page.waitForFunction(() => document.querySelectorAll(".lines .line").length === 3);
  await page.locator(".lines .line").first().filter({ hasText: /Ana Lima[\s\S]*3 reports/ }).waitFor();
  await olga.line("Morning over").getByRole("link").click();
  const shown = page.getByRole("region", { name: "What was reported" });
  await shown.getByText("<b>Not</b> my photo").waitFor(); // as text
  await shown.getByRole("img").waitFor();
  await page.getByRole("region", { name: "Reports" }).getByText("This is my picture. I never allowed this.").waitFor();
  await page.getByRole("region", { name: "Author" }).getByText("No earlier cases.").waitFor();
  await olga.inspect("cases", "cases");

  // One key decides, and leads to the next case.
  await page.getByPlaceholder("Note for colleagues").fill("Ben owns it, see his post of May");
  await page.getByLabel("Rule").selectOption("Your own work");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("status").filter({ hasText: "Removed: post of Ana Lima" }).waitFor();
  await page.getByRole("article", { name: "Post of Ben Okafor" }).waitFor();
  await olga.decide("a");
  await page.getByRole("status").filter({ hasText: "Kept: post of Ben Okafor" }).waitFor();
  await olga.line("old bicycle").waitFor();
  assert.equal(await page.locator(".lines .line").count(), 1);

  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Decided" }).click();
  await olga.line("Morning over").getByRole("link").click();
  await page.getByRole("region", { name: "Decisions" }).getByText("Ben owns it").waitFor();
  await page.getByText("Rule: Your own work").waitFor();
  await olga.decide("r"); // decided cases are decided again only on purpose
  await page.getByText("Removed by you").waitFor();
  await page.getByRole("button", { name: "Decide again" }).click();
  await page.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("region", { name: "Decisions" }).getByText("Kept").waitFor();
  await olga.inspect("decided");

  // A role, and where it is written down.
  await olga.choose("People");
  await page.getByPlaceholder("Name, user id").fill(service.idOf("mona"));
  await page.getByRole("region", { name: "Find people" }).getByRole("listitem").getByRole("link").click();
  await page.getByRole("button", { name: "Make moderator" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make moderator" }).click();
  await page.getByRole("status").filter({ hasText: "is a moderator now" }).waitFor();
  await page.getByRole("button", { name: "Revoke role" }).waitFor();
  await olga.inspect("person");
  await page.getByRole("link", { name: "In the audit log" }).click();
  const lines = page.getByRole("list", { name: "Lines of the audit log" });
  await lines.getByText("grantRole").click();
  await lines.getByText("Who", { exact: true }).locator("visible=true").first().waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await lines.getByText("Ben owns it").first().click();
  await olga.inspect("audit", "audit");

  // The process.
  await olga.choose("Health");
  await page.getByText("Memory", { exact: true }).first().waitFor();
  await olga.inspect("health");
  await page.getByRole("link", { name: "Jobs" }).click();
  const job = page.getByRole("row").filter({ hasText: "operator.end-audit" });
  await job.getByRole("button").click();
  await page.getByRole("status").filter({ hasText: "operator.end-audit has run" }).waitFor();
  await job.getByText("Done").waitFor();
  await page.getByRole("main").evaluate((main) => main.scrollTo(0, 0));
  await olga.inspect("jobs", "jobs");
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("region", { name: "Waiting" }).waitFor();
  await olga.choose("Settings");
  await page.getByPlaceholder("Find a setting").fill("operators");
  await page.getByText("olga@example.com").first().waitFor();
  await page.getByPlaceholder("Find a setting").fill("limit");
  await page.getByText("olga@example.com").first().waitFor({ state: "detached" });
  await olga.inspect("settings", "settings");
  await olga.choose("Store");
  await page.getByRole("heading", { name: "Store" }).waitFor();
  await olga.inspect("store");
  await olga.close();
});

test("two moderators and one case: the second one is told, and overwrites nothing", async () => {
  await clear();
  await service.desk(`mutation ($id: ID!) { grantRole(userId: $id, role: MODERATOR) { id } }`, { id: service.idOf("mona") }).catch(() => {}); // she has it already
  const olga = await sit("first", { width: 1280, height: 800 });
  const mona = await sit("second", { width: 1280, height: 800 });
  const post = await service.post("cleo", "Meet me at the old quarry, no adults.");
  await service.report("finn", post, "worrying");
  for (const [seat, name] of [[olga, "olga"], [mona, "mona"]] as const) {
    await seat.signIn(name);
    await seat.page.getByRole("article", { name: "Post of Cleo Marchetti" }).waitFor();
  }
  const places = await mona.page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
  assert.deepEqual(places.map((place) => place.trim()), ["Cases", "People", "Team"], "what a moderator sees");

  // Both have read the case; one answer is withheld so that nothing tells Mona before she decides.
  await mona.page.route("**/operator/graphql", async (route) => (/DecideCase/.test(route.request().postData() ?? "") ? route.continue() : route.abort()));
  await mona.page.getByPlaceholder("Note for colleagues").fill("harmless?");
  await olga.decide("r");
  await olga.page.getByRole("status").filter({ hasText: "Removed" }).waitFor();
  const alert = mona.page.getByRole("alert").filter({ hasText: "Removed by Olga Brandt" });
  if (!(await service.has("Subscription.caseChanged"))) {
    await mona.page.getByRole("button", { name: "Keep" }).click();
    await mona.page.waitForTimeout(300);
  }
  await mona.page.unroute("**/operator/graphql");
  await mona.page.evaluate(() => dispatchEvent(new Event("online"))); // reads again at once
  await alert.waitFor();
  mona.problems.splice(0); // requests that were aborted, and the refusal
  await mona.inspect("conflict", "conflict");
  await mona.decide("a"); // no key overwrites it
  const { case: now } = await service.desk<any>(`query ($id: ID!) { case(id: $id) { decisions { verdict } } }`, { id: `social:POST:${post}` });
  assert.deepEqual(now.decisions, [{ verdict: "REMOVE" }]);
  await mona.page.getByRole("button", { name: "Decide again" }).click();
  assert.equal(await mona.page.getByPlaceholder("Note for colleagues").inputValue(), "harmless?", "the note is not lost");

  // A role that is taken back ends the console.
  await service.desk(`mutation ($id: ID!) { revokeRole(userId: $id, role: MODERATOR) { id } }`, { id: service.idOf("mona") });
  await mona.page.getByRole("heading", { name: "This account has no role" }).waitFor();
  mona.problems.length = 0;
  await mona.inspect("no-role");
  await olga.close();
  await mona.close();
});

test("on a phone at night", async () => {
  await clear();
  const post = await service.post("gaia", "Whoever parks like that again will find four flat tyres.", await hills(browser));
  await service.report("ana", post, "a threat");
  await service.report("ben", post, "threatening");
  const olga = await sit("phone", { width: 390, dark: true });
  const { page } = olga;
  await olga.signIn("olga");
  await olga.line("parks like that").waitFor();
  await olga.inspect("cases", "phone");
  await olga.line("parks like that").getByRole("link").click();
  await page.getByRole("region", { name: "What was reported" }).getByRole("img").waitFor();
  await olga.inspect("case", "phone-case");
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await olga.line("parks like that").waitFor();
  await olga.line("parks like that").getByRole("link").click();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("status").filter({ hasText: "Removed: post of Gaia Russo" }).waitFor();
  for (const place of ["People", "Team", "Health", "Store", "Audit", "Settings"]) {
    await olga.choose(place);
    await page.waitForTimeout(300);
    await olga.inspect(place.toLowerCase());
  }
  await olga.choose("Team");
  for (const part of ["Saved answers", "Rules"]) {
    await page.getByRole("link", { name: part }).click();
    await page.getByText(part === "Rules" ? "No spam" : "No answer is saved yet").waitFor();
    await olga.inspect(part.toLowerCase().replace(" ", "-"));
  }
  await olga.choose("Health");
  for (const [part, row] of [["Jobs", "operator.end-audit"], ["Backups", "There is no backup yet"], ["Check", "has checked nothing yet"], ["Events", "Nothing waits"]] as const) {
    await page.getByRole("link", { name: part }).click();
    await page.getByText(row).first().waitFor();
    await olga.inspect(part.toLowerCase());
  }
  await olga.close();
});

test("by keyboard alone, and a reload loses nothing", async () => {
  await clear();
  for (const [author, text] of [["ana", "First of three"], ["ben", "Second of three"], ["cleo", "Third of three"]] as const) {
    await service.report("dario", await service.post(author, text), "look");
  }
  const olga = await sit("keys", { width: 1280, height: 800 });
  const { page } = olga;
  await page.goto(`${service.server.url}/console`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.keyboard.type("olga");
  await olga.press("Tab");
  await page.keyboard.type("password of olga");
  await olga.press("Enter");
  await page.getByRole("article", { name: "Post of Ana Lima" }).waitFor();

  await olga.press("j");
  await page.getByRole("article", { name: "Post of Ben Okafor" }).waitFor();
  await olga.press("j", "k", "k");
  await page.getByRole("article", { name: "Post of Ana Lima" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-current") === "true");
  assert.ok(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle !== "none"), "focus is visible");
  await olga.press("ArrowDown");
  await page.getByRole("article", { name: "Post of Ben Okafor" }).waitFor();
  await page.getByRole("region", { name: "Reports" }).getByText("look").waitFor();
  await olga.press("n");
  await page.keyboard.type("arak is no command here");
  await page.reload();
  await page.getByRole("article", { name: "Post of Ben Okafor" }).waitFor();
  assert.equal(await page.getByPlaceholder("Note for colleagues").inputValue(), "arak is no command here");
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  assert.ok(!/eyJ/.test(kept.replace(/"stoa\.console\.refresh":"[^"]*"/, "")), "no access token is stored");
  assert.equal(await page.evaluate(() => document.cookie), "");

  await page.getByRole("region", { name: "Reports" }).getByText("look").waitFor();
  await olga.decide("r");
  await page.getByRole("status").filter({ hasText: "Removed: post of Ben Okafor" }).waitFor();
  await page.getByRole("article", { name: "Post of Cleo Marchetti" }).waitFor();
  await page.getByRole("region", { name: "Reports" }).getByText("look").waitFor();
  await olga.decide("a");
  await page.getByRole("status").filter({ hasText: "Kept: post of Cleo Marchetti" }).waitFor();
  await page.getByRole("article", { name: "Post of Ana Lima" }).waitFor();

  // Finding, help, other pages, and out of every dialog again.
  await service.report("dario", await service.post("edda", "A fourth one"), "look");
  await olga.line("A fourth one").waitFor();
  await olga.press("/");
  await page.keyboard.type("fourth");
  await page.waitForFunction(() => document.querySelectorAll(".lines .line").length === 1);
  await olga.press("Escape", "?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await olga.inspect("help");
  await olga.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await olga.press("6");
  await page.getByRole("heading", { name: "Audit" }).waitFor();
  // Tab goes through the whole page and comes back: nothing holds it.
  const seen = new Set<string>();
  for (let n = 0; n < 60; n++) {
    await olga.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ""));
  }
  assert.ok([...seen].some((html) => html.includes("Skip to the page") || html.startsWith("<body")), "focus comes round");
  assert.ok(seen.size > 15);
  await olga.close();
});

test("keys that come before the page are for its field", async () => {
  const olga = await sit("ahead", { width: 1280, height: 800 });
  const { page } = olga;
  await olga.signIn("olga");
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  let release = (): void => {};
  const typed = new Promise<void>((resolve) => { release = resolve; });
  await page.route("**/console/page-*.js", (route) => typed.then(() => route.continue()));
  await page.keyboard.type("2/bennn");
  await olga.press("Backspace", "Backspace");
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
  release();
  const field = page.getByRole("searchbox", { name: "Find people" });
  await field.waitFor();
  assert.equal(await focused(), "ben");
  await page.keyboard.type(" okafor");
  assert.equal(await field.inputValue(), "ben okafor");
  await page.getByRole("region", { name: "Find people" }).getByRole("link", { name: /Ben Okafor/ }).waitFor();

  // To a page that has been read, at once; and where the page has put the focus by itself.
  await olga.press("Escape");
  await page.keyboard.type("1/hill");
  assert.equal(await page.getByRole("searchbox", { name: "Find in the queue" }).inputValue(), "hill");
  await olga.press("Control+a", "Delete", "Escape");
  await page.keyboard.type("2/dario");
  assert.equal(await field.inputValue(), "dario");
  await olga.close();
});

test("people without a role see nothing", async () => {
  const ana = await sit("nobody", { width: 1280, height: 800 });
  await ana.signIn("ana");
  await ana.page.getByRole("heading", { name: "This account has no role" }).waitFor();
  ana.problems.length = 0;
  await ana.page.getByRole("button", { name: "Sign in as somebody else" }).click();
  await ana.page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await ana.page.evaluate(() => sessionStorage.length), 0);
  await ana.close();
});

for (const [width, height] of [[768, 1024], [1920, 1080], [2560, 1440]] as const) {
  test(`at ${width} pixels`, async () => {
    await clear();
    await service.report("ben", await service.post("edda", "A long evening, and nobody to tell about it.", await hills(browser)), "boring");
    const olga = await sit(String(width), { width, height });
    await olga.signIn("olga");
    await olga.line("long evening").waitFor();
    if (width < 1000) await olga.line("long evening").getByRole("link").click();
    await olga.page.getByRole("region", { name: "Reports" }).getByText("boring").waitFor();
    await olga.inspect("cases");
    await olga.choose("Health");
    await olga.page.getByText("Memory", { exact: true }).first().waitFor();
    await olga.inspect("health");
    await olga.choose("Team");
    await olga.page.getByRole("table", { name: "By kind" }).waitFor();
    await olga.inspect("statistics");
    await olga.choose("Audit");
    await olga.page.getByText("decideCase").first().waitFor();
    await olga.inspect("audit");
    await olga.close();
  });
}

test("people: found, suspended, reinstated, noted, exported, erased", async (t) => {
  if (!(await service.has("Query.people")) || !(await service.has("Mutation.suspendPerson"))) return t.skip("this server does not find people");
  await service.welcome("Hugo Brandt", "Iris Adler");
  await service.post("hugo", "A hill of mine.", await hills(browser));
  const olga = await sit("people", { width: 1440, height: 900 });
  const { page } = olga;
  await olga.signIn("olga");
  await olga.choose("People");
  await page.keyboard.type("/hugo");
  await page.getByRole("region", { name: "Find people" }).getByRole("link", { name: /Hugo Brandt/ }).click();
  const person = page.getByRole("article", { name: "Hugo Brandt" });
  await person.getByText("hugo@example.com").waitFor();
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("insults after a warning");
  await olga.inspect("suspend");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await person.getByText("Suspended until").waitFor();
  await page.getByRole("button", { name: "Change suspension" }).click();
  assert.equal(await dialog.getByLabel("Reason").inputValue(), "insults after a warning");
  await dialog.getByLabel("Reason").fill("insults after two warnings");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await person.getByText("insults after two warnings").first().waitFor();
  await page.getByRole("region", { name: "What was done" }).getByText("suspendPerson").nth(1).waitFor();
  await page.getByLabel("New note").fill("Second time this month");
  await page.getByRole("button", { name: "Add" }).click();
  await person.getByText("Second time this month").waitFor();
  await olga.inspect("suspended", "person");
  await page.getByRole("button", { name: "Reinstate" }).click();
  await dialog.getByRole("button", { name: "Reinstate" }).click();
  await page.getByRole("button", { name: "Suspend" }).waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("status").filter({ hasText: "is signed out" }).waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  await dialog.getByLabel("Reason").fill("asked by mail");
  await dialog.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("link", { name: "Download" }).click()]);
  assert.equal(await download.failure(), null);
  // Opened from disk, it shows texts and pictures without a request.
  const unpacked = await unzip(await download.path());
  const offline = await browser.newPage();
  const requests: string[] = [];
  offline.on("request", (request) => requests.push(request.url()));
  await offline.goto(`file://${unpacked}/index.html`);
  await offline.getByText("A hill of mine.").first().waitFor();
  const pictures = await offline.locator("img").evaluateAll((all) =>
    Promise.all((all as HTMLImageElement[]).map(async (image) => ((image.loading = "eager"), await image.decode(), image.naturalWidth))),
  );
  assert.ok(pictures.length > 0 && pictures.every((width) => width > 0), `pictures ${pictures}`);
  assert.deepEqual(requests.filter((url) => !url.startsWith("file://")), []);
  await offline.screenshot({ path: `${out}/export.png` });
  await offline.close();
  await rm(unpacked, { recursive: true });
  await olga.press("Escape");

  await page.getByPlaceholder("Name, user id").fill("iris");
  await page.getByRole("region", { name: "Find people" }).getByRole("link", { name: /Iris Adler/ }).click();
  await page.getByRole("button", { name: "Erase" }).click();
  await dialog.getByLabel("Reason").fill("asked by mail");
  assert.ok(await dialog.getByRole("button", { name: "Erase for good" }).isDisabled());
  await dialog.getByLabel("Type iris to confirm").fill("iris");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await page.getByRole("status").filter({ hasText: "is erased" }).waitFor();
  await olga.close();
});

test("a case is claimed, decided by a rule, and others see it live", async (t) => {
  if (!(await service.has("Mutation.claimCase")) || !(await service.has("Subscription.caseChanged"))) return t.skip("this server has no claims");
  await clear();
  await service.desk(`mutation ($id: ID!) { grantRole(userId: $id, role: MODERATOR) { id } }`, { id: service.idOf("finn") });
  await service.report("ben", await service.post("gaia", "Claim me if you can."), "a riddle");
  const olga = await sit("claims", { width: 1280, height: 800 });
  const finn = await sit("watches", { width: 1280, height: 800 });
  // Finn's subscription to changes ends by itself at the first one, as if the server could not read the case.
  await finn.page.routeWebSocket(/operator\/graphql/, (socket) => {
    const server = socket.connectToServer();
    let changes: string | undefined;
    socket.onMessage((text) => {
      const { id, payload } = JSON.parse(String(text));
      if (/caseChanged/.test(payload?.query ?? "")) changes ??= id;
      server.send(text);
    });
    server.onMessage((text) => {
      const { id, type } = JSON.parse(String(text));
      socket.send(type === "next" && id === changes ? JSON.stringify({ id, type: "complete" }) : text);
    });
  });
  await olga.signIn("olga");
  await finn.signIn("finn");
  await finn.line("Claim me").waitFor();
  await olga.page.getByRole("region", { name: "Reports" }).getByText("a riddle").waitFor();
  await olga.press("c");
  await olga.page.getByText("You have it").first().waitFor();
  await finn.page.getByText("Olga Brandt has it").first().waitFor();
  await finn.inspect("claimed");
  await olga.decide("a");
  await finn.page.getByRole("alert").filter({ hasText: "Kept by Olga Brandt" }).waitFor();
  await olga.close();
  await finn.close();
});

test("the queue in the order of deadlines", async () => {
  await clear();
  const first = await service.post("ana", "Reported once, and before the other.");
  await service.report("ben", first);
  const second = await service.post("ben", "Reported twice, and later.");
  for (const name of ["ana", "cleo"]) await service.report(name, second);
  const olga = await sit("order", { width: 1280, height: 800 });
  const { page } = olga;
  await olga.signIn("olga");
  const lines = page.locator(".lines .line");
  await lines.nth(1).waitFor();
  assert.match(await lines.first().innerText(), /Reported twice/);
  await page.getByLabel("Order").selectOption("First due");
  await lines.first().filter({ hasText: "Reported once" }).waitFor();
  await page.reload();
  await lines.nth(1).waitFor();
  assert.match(await lines.first().innerText(), /Reported once/);

  // What was chosen for a decision about several outlives a reload, too.
  await page.getByRole("checkbox", { name: "Choose the case of Ana Lima" }).press("Space");
  await page.getByRole("checkbox", { name: "Choose the case of Ben Okafor" }).press("Space");
  await page.reload();
  await page.getByText("2 cases chosen").waitFor();
  await olga.inspect("chosen");
  await page.getByRole("group", { name: "Chosen cases" }).getByRole("button", { name: "Keep" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep all" }).click();
  await page.getByRole("status").filter({ hasText: "2 cases decided" }).waitFor();
  await olga.close();
});

test("an appeal: somebody else answers and decides", async () => {
  await clear();
  const post = await service.post("gaia", "My own evening, my own hills.", await hills(browser));
  await service.report("ben", post, "not hers");
  const id = `social:POST:${post}`;
  await service.desk(`mutation ($id: ID!) { decideCase(id: $id, revision: 1, verdict: REMOVE, rule: "own-work") { id } }`, { id });
  await service.desk(`mutation ($id: ID!) { grantRole(userId: $id, role: MODERATOR) { id } }`, { id: service.idOf("finn") });
  const { saveTemplate: answer } = await service.desk<any>(
    `mutation { saveTemplate(title: "Who owns a picture", text: "A picture belongs to whoever took it: show us that it was you.") { id } }`,
  );
  const olga = await sit("appealed", { width: 1280, height: 800 });
  const finn = await sit("appeal", { width: 1440, height: 900 });
  await olga.signIn("olga");
  await finn.signIn("finn");
  await finn.page.getByText("Nothing to decide").waitFor();
  await service.as("gaia", `mutation ($id: ID!) { appealDecision(caseId: $id, text: "I took this picture myself, from our balcony. Ben has never been here.") { status } }`, { id });

  // It arrives by itself. Whoever decided is told to leave it.
  await finn.line("Appeal").waitFor();
  await olga.page.getByText("The appeal is against your decision").waitFor();
  const appeal = finn.page.getByRole("region", { name: "Appeal" });
  await appeal.getByText("from our balcony").waitFor();
  await appeal.getByLabel("Saved answer").selectOption("Who owns a picture");
  assert.match(await appeal.getByLabel("Answer to the author").inputValue(), /belongs to whoever took it/);

  // Her reply arrives by itself, and remains when the answer to what Finn sent before comes later.
  let release = () => {};
  const held = new Promise<void>((resolve) => { release = resolve; });
  await finn.page.route("**/operator/graphql", async (route) => {
    if (!/ReplyToAppeal/.test(route.request().postData() ?? "")) return route.continue();
    const response = await route.fetch();
    await held;
    return route.fulfill({ response });
  });
  await appeal.getByRole("button", { name: "Send" }).click();
  await appeal.getByText("Moderators,").waitFor();
  await service.as("gaia", `mutation ($id: ID!) { replyToAppeal(caseId: $id, text: "Here is another one from the same minute, with my hand in it.") { status } }`, { id });
  await appeal.getByText("with my hand in it").waitFor({ timeout: 3_000 }); // long before it is read again
  release();
  await finn.page.getByRole("status").filter({ hasText: "The author is told." }).waitFor();
  await appeal.getByText("with my hand in it").waitFor({ timeout: 3_000 });
  await finn.page.unroute("**/operator/graphql");
  await appeal.getByLabel("Saved answer").waitFor();
  await appeal.getByLabel("Answer to the author").evaluate((field) => field.scrollIntoView({ block: "center" }));
  await finn.inspect("appeal", "appeal");
  await olga.decide("a");
  await olga.page.getByRole("alert").filter({ hasText: "Somebody else decides the appeal" }).waitFor();
  olga.problems.length = 0; // the refusal
  await olga.inspect("own-decision");
  await finn.decide("a");
  await finn.page.getByRole("status").filter({ hasText: "Kept: post of Gaia Russo" }).waitFor();
  await service.desk(`mutation ($id: ID!) { removeTemplate(id: $id) }`, answer);
  await olga.close();
  await finn.close();
});

test("the team by keyboard: answers, rules and statistics", async () => {
  await clear();
  await service.desk(`mutation ($id: ID!) { grantRole(userId: $id, role: MODERATOR) { id } }`, { id: service.idOf("finn") });
  for (const [author, verdict, rule] of [["gaia", "REMOVE", "threats"], ["edda", "REMOVE", "spam"], ["dario", "KEEP", null], ["cleo", "KEEP", null], ["ben", "REMOVE", "spam"]] as const) {
    const post = await service.post(author, "A text that somebody minds.");
    await service.report("ana", post);
    await service.desk(`mutation ($id: ID!, $verdict: Verdict!, $rule: ID) { decideCase(id: $id, revision: 1, verdict: $verdict, rule: $rule) { id } }`,
      { id: `social:POST:${post}`, verdict, rule }, author === "gaia" ? "olga" : "finn");
  }
  const finn = await sit("team", { width: 1440, height: 900 });
  const { page } = finn;
  await finn.signIn("finn");
  await page.getByText("Nothing to decide").waitFor();
  await finn.press("3");
  const kinds = page.getByRole("table", { name: "By kind" });
  await kinds.waitFor();
  const day = new Date().toISOString().slice(0, 10);
  const { statistics } = await service.desk<any>(`query ($from: DateTime!, $to: DateTime!) {
    statistics(from: $from, to: $to) { total { decided removed } byReporter { userId decided overturned } csv }
  }`, { from: `${day}T00:00:00Z`, to: new Date(Date.parse(day) + 86_400_000).toISOString() });
  const { decided, removed } = statistics.total;
  assert.ok(decided > 5 && removed > 2);
  await kinds.getByText(`${decided - removed} kept, ${removed} removed`).waitFor();
  await page.getByRole("table", { name: "By rule" }).getByText("No spam").waitFor();
  await page.getByRole("table", { name: "By moderator" }).getByRole("link", { name: "Finn Hale" }).waitFor();
  await page.getByText("of 1 appeal").waitFor();
  const reporters = page.getByRole("table", { name: "By reporter" });
  const ana = reporters.getByRole("row").filter({ has: page.getByRole("link", { name: "Ana Lima" }) });
  const { decided: reports, overturned } = statistics.byReporter.find(({ userId }: { userId: string }) => userId === service.idOf("ana"));
  assert.ok(reports >= 5 && overturned >= 2);
  await ana.getByText(`${reports - overturned} upheld, ${overturned} overturned`).waitFor();
  assert.deepEqual((await ana.getByRole("cell").allInnerTexts()).slice(-2), [String(reports), `${Math.round((100 * overturned) / reports)} %`]);
  assert.ok(!statistics.csv.includes(service.idOf("ana")), "the report to the public has no names");
  await finn.inspect("statistics", "statistics");

  // A period is in the address, and its figures are a file.
  await page.getByLabel("Period", { exact: true }).selectOption("From and to");
  await page.getByLabel("From", { exact: true }).fill(day);
  await page.getByRole("button", { name: "Show" }).press("Enter");
  await page.getByText(`${day} to ${day}`).waitFor();
  await page.reload();
  await page.getByText(`${day} to ${day}`).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download as CSV" }).press("Enter")]);
  assert.equal(download.suggestedFilename(), `cases-${day}-${day}.csv`);
  assert.equal(await readFile(await download.path(), "utf8"), statistics.csv);

  await page.goto(`${service.server.url}/console#/team?from=never&to=${day}&days=some`);
  await page.locator("option:checked").filter({ hasText: "Last 30 days" }).waitFor({ state: "attached" });
  await kinds.waitFor();

  // An answer is written, kept over a reload until it is saved, changed, and removed.
  await finn.tabTo("Saved answers");
  await finn.press("Enter");
  await page.getByText("No answer is saved yet").waitFor();
  await finn.tabTo("New answer");
  await finn.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.type("Who owns a picture");
  await page.reload();
  await page.getByRole("button", { name: "New answer" }).press("Enter");
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel("Title").inputValue(), "Who owns a picture");
  await finn.press("Tab");
  await page.keyboard.type("Thank you for writing. A picture belongs to whoever took it: show us that it was you, and it comes back.");
  await finn.inspect("answer");
  await finn.press("Tab", "Tab", "Enter");
  await page.getByRole("status").filter({ hasText: "“Who owns a picture” is saved." }).waitFor();
  await service.desk(`mutation { saveTemplate(title: "Links", text: "Links to shops are advertising. Post it again without the link.") { id } }`);
  await service.desk(`mutation { saveTemplate(title: "Old", text: "To be removed.") { id } }`);
  await page.reload();
  await page.getByRole("button", { name: "Remove Old" }).press("Enter");
  await dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByRole("region", { name: "Old" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Change Links" }).press("Enter");
  await dialog.getByLabel("Title").fill("Links to shops");
  await dialog.getByLabel("Title").press("Enter");
  await page.getByRole("region", { name: "Links to shops" }).waitFor();
  await finn.inspect("answers");
  await finn.tabTo("Rules");
  await finn.press("Enter");
  await page.getByRole("region", { name: "No threats" }).waitFor();
  await finn.inspect("rules");
  await finn.close();

  const phone = await sit("team-phone", { width: 390, dark: true });
  await phone.signIn("finn");
  await phone.choose("Team");
  await phone.page.getByRole("table", { name: "By moderator" }).getByRole("link", { name: "Finn Hale" }).waitFor();
  await phone.page.getByRole("table", { name: "By reporter" }).getByRole("link", { name: "Ana Lima" }).scrollIntoViewIfNeeded();
  await phone.inspect("statistics");
  await phone.page.getByRole("link", { name: "Saved answers" }).click();
  await phone.page.getByRole("button", { name: "Change Links to shops" }).click();
  await phone.inspect("answer");
  await phone.close();
});

test("the store: tables, an item, and where its keys lead", async (t) => {
  if (!(await service.has("Query.tables")) || !(await service.has("Query.items"))) return t.skip("this server does not show its store");
  const olga = await sit("store", { width: 1440, height: 900 });
  const { page } = olga;
  await olga.signIn("olga");
  await olga.choose("Store");
  const tables = page.getByRole("region", { name: "Tables" }).getByRole("link");
  await tables.first().waitFor();
  await tables.filter({ hasText: /main|social/ }).first().click();
  await page.getByText("Rows of this table").waitFor();
  await page.getByLabel("Partition key").fill(`user/${service.idOf("ana")}`);
  await page.getByRole("button", { name: "Read" }).click();
  const items = page.locator(".stored");
  await items.first().waitFor();
  if (!(await items.first().evaluate((details) => (details as HTMLDetailsElement).open))) await items.first().locator("summary").click();
  await page.getByLabel("Attributes").first().waitFor();
  await olga.inspect("items", "store");
  await olga.close();
});

test("health: charts, a backup, and a check", async (t) => {
  for (const member of ["Query.figures", "Query.checks", "Mutation.startCheck", "Subscription.checkProgressed"]) {
    if (!(await service.has(member))) return t.skip(`this server has no ${member}`);
  }
  const olga = await sit("checks", { width: 1440, height: 900 });
  const { page } = olga;
  await olga.signIn("olga");
  await olga.choose("Health");
  await page.getByText("Operations", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: "Check" }).click();
  await page.getByRole("button", { name: "Check the store" }).click();
  await page.getByRole("region", { name: "A check" }).first().getByText("Clean").waitFor();
  await olga.inspect("check");
  await page.getByRole("link", { name: "Backups" }).click();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByRole("table", { name: "Backups" }).getByText("Done").waitFor();
  await olga.inspect("backups");
  await page.getByRole("link", { name: "Overview" }).click();
  const points = async () => (await service.desk<{ figures: unknown[] }>(`{ figures { at } }`)).figures.length;
  for (let n = 0; (await points()) < (process.env.DOCS ? 6 : 2); n++) { // a point a minute
    if (n % 7 < 4) await service.as("ana", `{ self { feed { items { postId } } } }`);
    await page.waitForTimeout(250);
  }
  await page.reload();
  await page.getByRole("figure", { name: "Memory, the last hour" }).locator("canvas").waitFor();
  await olga.inspect("charts", "health");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await olga.inspect("charts-narrow");
  await olga.close();
});
