import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { buildSchema, isScalarType, isSpecifiedScalarType, parse, validate } from "graphql";
import { type Browser, chromium } from "playwright-core";

import { type Examples, examplesOf, matches, runInBrowser, runShell, serverOf } from "./examples.ts";
import { root, Server } from "./surroundings.ts";

const home = join(root, "packages/client");
const out = join(home, "out");
const picture = join(root, "internal/media/picture/testdata/progressive.jpg");

/** The pages of the guide in their order: each may use what those before it have made. */
const guide = ["start", "accounts", "posts", "feed", "live", "chats", "cards", "privacy", "errors", "codegen", "going-live"]
  .map((name) => `docs/guide/${name}.md`);

/** Pages that stand alone. Those of other systems are about schemas of their own. */
const alone: [page: string, schema: string][] = [
  ["README.md", "schema.graphqls"],
  ["packages/client/README.md", "schema.graphqls"],
  ["docs/pantry.md", "systems/pantry/schema.graphqls"],
  ["docs/communities.md", "systems/communities/schema.graphqls"],
  ["docs/messaging.md", "systems/messaging/schema.graphqls"],
  ["docs/archive.md", "systems/archive/schema.graphqls"],
];

let browser: Browser;
before(async () => {
  await mkdir(out, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(() => browser.close());

const examples = async (page: string): Promise<Examples> => examplesOf(await readFile(join(root, page), "utf8"));

/** Writes the TypeScript of a page as a module and returns its path. */
async function moduleOf(page: string, { code }: Examples): Promise<string> {
  const file = join(out, `${page.replace(/\.md$/, "").replaceAll("/", "-")}.ts`);
  await writeFile(file, `${(code.get("ts") ?? []).join("\n")}export {};\n`);
  return file;
}

/** Runs a page's examples, one language after the other, and compares what they print with what the page says. */
async function check(page: string, server: Server): Promise<void> {
  const found = await examples(page);
  let printed = "";
  for (const [language, blocks] of found.code) {
    if (language === "sh") printed += await runShell(blocks, server.url);
    if (language === "ts") printed += await runInBrowser(browser, await moduleOf(page, found), server.url, picture);
  }
  if (!matches(printed, found.output)) assert.equal(printed, found.output);
}

/** Checks that the operations in a page's examples are of the schema, also those that are not executed. */
async function checkOperations(page: string, schema: string): Promise<void> {
  const { code } = await examples(page);
  const built = buildSchema(await readFile(join(root, schema), "utf8"));
  const texts = [...(code.get("graphql") ?? [])];
  for (const block of code.get("ts") ?? []) {
    for (const [, text] of block.matchAll(/`((?:\{|query|mutation|subscription)\s[^`]*)`/g)) texts.push(text!);
  }
  for (const text of texts) {
    if (text.includes("${")) continue;
    assert.deepEqual(validate(built, parse(text)).map((error) => error.message), [], `${page}: ${text}`);
  }
}

test("the guide's pages are those that are tested", async () => {
  const pages = (await readdir(join(root, "docs/guide"))).filter((name) => name !== "README.md").map((name) => `docs/guide/${name}`);
  assert.deepEqual(pages.sort(), [...guide].sort());
});

test("the examples compile against the package as it is packed, and ask for what the schemas have", async () => {
  const include: string[] = [];
  for (const page of [...guide, ...alone.map(([page]) => page)]) {
    const found = await examples(page);
    if (found.code.has("ts")) include.push(await moduleOf(page, found));
    await checkOperations(page, alone.find(([name]) => name === page)?.[1] ?? "schema.graphqls");
  }
  // As `npm create vite` sets up an app.
  const compilerOptions = {
    module: "ESNext", moduleResolution: "bundler", types: [], noUnusedLocals: true, noUnusedParameters: true, erasableSyntaxOnly: true,
    exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, rewriteRelativeImportExtensions: false, noEmit: true,
  };
  await writeFile(join(out, "tsconfig.json"), JSON.stringify({ extends: "../tsconfig.json", compilerOptions, include }));
  const compiled = await promisify(execFile)(process.execPath, [join(home, "node_modules/typescript/bin/tsc"), "-p", out]).catch((error) => error);
  assert.equal(compiled.stdout, "");
});

test("each language of the page about code generation maps the scalars that the schema has", async () => {
  const { code } = await examples("docs/guide/codegen.md");
  const types = Object.values(buildSchema(await readFile(join(root, "schema.graphqls"), "utf8")).getTypeMap());
  const scalars = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type)).map(({ name }) => name).sort();
  const configurations = code.get("json")!;
  for (const text of configurations) JSON.parse(text);
  for (const text of [configurations[0]!, ...code.get("swift")!, ...code.get("kotlin")!]) {
    assert.deepEqual([...new Set(text.match(/\bAWS\w+/g))].sort(), scalars, text);
  }
});

test("the guide, page by page on one server, prints what it says", async (t) => {
  const server = await Server.start();
  for (const page of guide) await t.test(page, () => check(page, server));
  assert.equal(await server.stop(), 0);
});

for (const [page] of alone) {
  test(`${page} prints what it says`, async () => {
    const server = await Server.start(...serverOf(await examples(page)));
    try {
      await check(page, server);
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
}
