import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { root, Server } from "./surroundings.ts";

const run = promisify(execFile);
const home = join(root, "packages/client");

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

/** What the examples have around them in a browser. */
const surroundings = `
import { openAsBlob } from "node:fs";
import WebSocket from "ws";

Object.assign(globalThis, {
  WebSocket,
  localStorage: { getItem: () => null },
  document: { querySelector: () => ({ files: [file] }) },
});
`;

test("README's examples compile against the package as it is packed, and print what README says", async () => {
  const readme = await readFile(join(home, "README.md"), "utf8");
  const blocks = /^```ts\n(.*?)^```$/gms;
  const examples = [...readme.matchAll(blocks)].map(([, code]) => code).join("\n");
  const expected = [...readme.replace(blocks, "").matchAll(/^ {4}(.*)$/gm)].map(([, line]) => `${line}\n`).join("");
  assert.ok(examples && expected);

  const out = join(home, "out");
  await mkdir(out, { recursive: true });
  const file = `const file = await openAsBlob(${JSON.stringify(join(root, "internal/media/picture/testdata/progressive.jpg"))}, { type: "image/jpeg" });\n`;
  const [imports, rest] = surroundings.split(/\n\n(?=Object)/) as [string, string];
  await writeFile(join(out, "surroundings.ts"), `${imports}\n\n${file}${rest}`);
  await writeFile(join(out, "readme.ts"), `import "./surroundings.ts";\n${examples.replaceAll("http://127.0.0.1:8080", server.url)}`);
  await writeFile(join(out, "tsconfig.json"), JSON.stringify({ extends: "../tsconfig.json", include: ["readme.ts", "surroundings.ts"] }));

  const [compiled, ran] = await Promise.allSettled([
    run(process.execPath, [join(home, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", out]),
    run(process.execPath, ["--import", "tsx", join(out, "readme.ts")], { cwd: home }),
  ]);
  assert.equal(compiled.status, "fulfilled", String(compiled.status === "rejected" && compiled.reason.stdout));
  assert.ok(ran.status === "fulfilled", String(ran.status === "rejected" && ran.reason));
  assert.equal(ran.value.stderr, "");
  assert.equal(ran.value.stdout, expected);
});
