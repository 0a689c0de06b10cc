import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { Browser, Locator, Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where pictures go. With DOCS=1, those of docs/operator.md are taken anew. */
export const out = join(import.meta.dirname, "../../out");
const docs = join(import.meta.dirname, "../../../docs/operator");

export interface Screen {
  width: number;
  height?: number;
  dark?: boolean;
}

/** A browser with the console, and whoever sits before it. */
export class Seat {
  readonly problems: string[] = [];
  readonly origins = new Set<string>();

  private constructor(readonly page: Page, private readonly url: string, private readonly name: string) {
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => {
      if (/^(http|ws)/.test(request.url())) this.origins.add(new URL(request.url()).origin);
    });
  }

  static async open(browser: Browser, url: string, name: string, screen: Screen): Promise<Seat> {
    const context = await browser.newContext({
      viewport: { width: screen.width, height: screen.height ?? 844 }, colorScheme: screen.dark ? "dark" : "light", reducedMotion: "reduce", locale: "en-GB",
    });
    return new Seat(await context.newPage(), url, name);
  }

  async signIn(username: string): Promise<void> {
    await this.page.goto(`${this.url}/console`);
    await this.page.getByLabel("Username, e-mail or user id").fill(username);
    await this.page.getByLabel("Password").fill(`password of ${username}`);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  async choose(place: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: place }).click();
  }

  line(text: string): Locator {
    return this.page.getByRole("region", { name: "Queue of cases" }).getByRole("listitem").filter({ hasText: text });
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Goes with Tab to what is called so. */
  async tabTo(name: string): Promise<void> {
    for (let n = 0; n < 80; n++) {
      await this.page.keyboard.press("Tab");
      if ((await this.page.evaluate(() => document.activeElement?.textContent)) === name) return;
    }
    assert.fail(`Tab does not lead to ${name}`);
  }

  /** Decides the case that is shown, after a glance at it. */
  async decide(key: "a" | "r"): Promise<void> {
    await this.page.waitForTimeout(400);
    await this.page.keyboard.press(key);
  }

  /** Checks that a screen can be used by all and is no wider than the device, and takes a picture. */
  async inspect(screen: string, picture?: string): Promise<void> {
    const { page } = this;
    await page.waitForFunction(() => [...document.querySelectorAll("img")].every((img) => img.complete && (img.naturalWidth > 0 || img.loading === "lazy")));
    await page.screenshot({ path: join(out, `console-${screen}-${this.name}.png`) });
    if (picture && process.env.DOCS) {
      await page.waitForFunction(() => !document.querySelector(".sayings p"));
      await page.screenshot({ path: join(docs, `${picture}.jpg`), type: "jpeg", quality: 72 });
    }
    // Playwright evaluates outside of the page's policy, which is what axe needs.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<any> } }).axe.run());
    const grave = violations.filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical");
    assert.deepEqual(grave.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html, failureSummary }: any) => `${html} ${failureSummary}`).join("\n")}`), [], `${screen} of ${this.name}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${screen} of ${this.name} is wider than the device`);
  }

  /** Closes the browser, and checks that nothing went wrong unseen and nothing came from elsewhere. */
  async close(): Promise<void> {
    assert.deepEqual(this.problems, [], `console of ${this.name}`);
    assert.deepEqual([...this.origins].map((origin) => origin.replace(/^ws/, "http")).filter((origin) => origin !== this.url), [], "everything comes from the binary itself");
    await this.page.context().close();
  }

  /** Takes a last picture if the browser is still open, and closes it. */
  async leave(): Promise<void> {
    if (this.page.isClosed()) return;
    if (this.problems.length) console.log(`${this.name}: ${this.problems.join("\n")}`);
    await this.page.screenshot({ path: join(out, `console-end-${this.name}.png`) });
    await this.page.context().close();
  }
}

/** A picture as JPEG in base64, drawn by a browser: hills before a sky. */
export async function hills(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 960;
    canvas.height = 600;
    const pen = canvas.getContext("2d")!;
    const sky = pen.createLinearGradient(0, 0, 0, 600);
    sky.addColorStop(0, "#5b7fa6");
    sky.addColorStop(1, "#f3d7b5");
    pen.fillStyle = sky;
    pen.fillRect(0, 0, 960, 600);
    pen.fillStyle = "#fff4dc";
    pen.arc(690, 210, 56, 0, 7);
    pen.fill();
    for (const [i, colour] of ["#7d95a0", "#557880", "#2d6c65", "#1c4743"].entries()) {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.moveTo(0, 600);
      for (let x = 0; x <= 960; x += 8) pen.lineTo(x, 300 + i * 66 + Math.sin(x / (130 - i * 14) + i * 2) * (52 - i * 8) + Math.sin(x / 41 + i) * 9);
      pen.lineTo(960, 600);
      pen.fill();
    }
    return canvas.toDataURL("image/jpeg", 0.85);
  });
  await page.close();
  return url.split(",")[1]!;
}
