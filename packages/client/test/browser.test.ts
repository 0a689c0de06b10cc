import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

import type * as client from "../src/index.ts";
import { picture, root, Server } from "./surroundings.ts";

let server: Server;
let browser: Browser;
before(async () => {
  server = await Server.start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
});

test("in a browser: tabs share a refresh, uploads tell progress, and a subscription outlives a crash of the server", async () => {
  const bundle = await build({
    entryPoints: [join(root, "packages/client/dist/index.js")], bundle: true, format: "iife", globalName: "stoaClient", write: false,
  });
  const context = await browser.newContext();
  const [page, tab] = [await context.newPage(), await context.newPage()];
  for (const each of [page, tab]) {
    await each.goto(`${server.url}/livez`);
    await each.evaluate(`${bundle.outputFiles[0]!.text}; globalThis.__name = (f) => f; // tsx marks functions with it
      globalThis.kept = (mode, action) => new Promise((resolve, reject) => {
        const opened = indexedDB.open("app", 1);
        opened.onupgradeneeded = () => opened.result.createObjectStore("session");
        opened.onsuccess = () => {
          const done = opened.result.transaction("session", mode);
          const asked = action(done.objectStore("session"));
          done.oncomplete = () => { opened.result.close(); resolve(asked.result ?? null); };
        };
        opened.onerror = reject;
      });
      globalThis.storage = {
        load: () => kept("readonly", (session) => session.get(0)),
        save: (text) => kept("readwrite", (session) => session.put(text, 0)),
      };
      globalThis.stoa = new stoaClient.Stoa({ url: location.origin, storage });`);
  }
  let refreshes = 0;
  context.on("request", (request) => void (request.url().endsWith("/auth/refresh") && refreshes++));

  await page.evaluate(async () => {
    const { stoa, storage } = globalThis as unknown as { stoa: client.Stoa; storage: client.TokenStorage };
    const account = { email: "ana@example.com", password: "correct horse" };
    await stoa.session.signUp(account);
    await stoa.session.signIn(account);
    await stoa.mutate(`mutation { createCognitoOnlyUser(username: "ana") { userId } }`);
    await storage.save(JSON.stringify({ ...JSON.parse((await storage.load())!), expiresAt: 0 }));
  });
  const ask = () => (globalThis as unknown as { stoa: client.Stoa }).stoa.query(`{ self { username } }`);
  assert.deepEqual(await Promise.all([page.evaluate(ask), tab.evaluate(ask)]), Array(2).fill({ self: { username: "ana" } }));
  assert.equal(refreshes, 1);

  const jpeg = Buffer.from(await (await picture()).arrayBuffer());
  const uploaded = await page.evaluate(async (base64) => {
    const { stoa } = globalThis as unknown as { stoa: client.Stoa };
    const file = await (await fetch(`data:image/jpeg;base64,${base64}`)).blob();
    const told: number[] = [];
    const { postStatus } = await stoa.upload({}, file, (sent) => told.push(sent));
    return { postStatus, last: told.at(-1), size: file.size };
  }, jpeg.toString("base64"));
  assert.deepEqual(uploaded, { postStatus: "COMPLETED", last: jpeg.length, size: jpeg.length });

  await page.evaluate(async () => {
    const { stoa } = globalThis as unknown as { stoa: client.Stoa };
    const state = { refetched: 0 };
    Object.assign(globalThis, { state });
    stoa.subscribe(`subscription ($userId: ID!) { onNotification(userId: $userId) { type } }`, { userId: (await stoa.session.userId())! }, {
      next: () => {},
      refetch: () => state.refetched++,
    });
  });
  await page.waitForFunction("state.refetched === 1");
  await server.crashAndRestart();
  await page.waitForFunction("state.refetched === 2");
  await context.close();
});
