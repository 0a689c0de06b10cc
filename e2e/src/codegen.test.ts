import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = join(import.meta.dirname, "../out/codegen");
const bin = join(import.meta.dirname, "../node_modules/.bin");

/** The first fenced block of a language. */
function block(page: string, language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  assert.ok(found, `the page has no ${language}`);
  return found;
}

test("graphql-codegen takes the configuration of the guide, and what it generates compiles", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/guide/codegen.md"), "utf8");
  await rm(here, { recursive: true, force: true });
  await mkdir(join(here, "src"), { recursive: true });
  await writeFile(join(here, "schema.graphqls"), await readFile(join(import.meta.dirname, "../../schema.graphqls")));
  await writeFile(join(here, "codegen.json"), block(page, "json"));
  await writeFile(join(here, "src/feed.graphql"), block(page, "graphql"));
  await run(join(bin, "graphql-codegen"), ["--config", "codegen.json"], { cwd: here });
  await writeFile(join(here, "src/use.ts"), `import type { ResultOf } from "@graphql-typed-document-node/core";
import { FeedDocument } from "./generated/graphql";
export type Post = NonNullable<NonNullable<ResultOf<typeof FeedDocument>["self"]["feed"]>["items"][number]>;
export const postedAt = (post: Post): string => post.postedAt;
`);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022"];
  const compiled = await run(join(bin, "tsc"), [...options, "src/use.ts"], { cwd: here }).catch((error) => error);
  assert.equal(compiled.stdout, "");
});
