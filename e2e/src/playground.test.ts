import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { type Browser, chromium } from "playwright-core";

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
