import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

import { build } from "esbuild";
import type { Browser } from "playwright-core";

import { root } from "./surroundings.ts";

/** What a page in Markdown shows as code. */
export interface Examples {
  /** Code by language, in the order of the page. Blocks of one language are one program. */
  code: Map<string, string[]>;
  /** What the programs print: the indented text that follows a block. `…` stands for anything. */
  output: string;
  /** The options of the last `bin/stoa serve` above the first block: the server that the examples need. */
  serve: string[];
}

/** Finds the examples of a page. */
export function examplesOf(markdown: string): Examples {
  const found: Examples = { code: new Map(), output: "", serve: [] };
  let block: string[] | undefined;
  let language = "";
  let prints = false; // whether indented text is output
  for (const line of markdown.split("\n")) {
    const fence = /^```(\w*)$/.exec(line);
    if (block) {
      if (!fence) block.push(line);
      else {
        found.code.set(language, [...(found.code.get(language) ?? []), `${block.join("\n")}\n`]);
        block = undefined;
        prints = true;
      }
    } else if (fence) {
      language = fence[1]!;
      block = [];
    } else if (line.startsWith("    ")) {
      if (prints) found.output += `${line.slice(4)}\n`;
      const command = /^ {4}bin\/stoa serve(.*)$/.exec(line);
      if (command && found.code.size === 0) found.serve = command[1]!.trim().split(/\s+/).filter(Boolean);
    } else if (line !== "") prints = false;
  }
  return found;
}

/** Options that a test chooses itself. */
const chosen = new Set(["--store", "--listen"]);

/** The systems to serve and the other options. */
export function serverOf({ serve }: Examples): [systems: string, ...more: string[]] {
  let systems = "social";
  const more: string[] = [];
  for (let i = 0; i < serve.length; i += 2) {
    const [name, value] = serve.slice(i, i + 2) as [string, string];
    if (name === "--systems") systems = value;
    else if (!chosen.has(name)) more.push(name, value);
  }
  return [systems, ...more];
}

/** The address in examples. */
const address = "http://127.0.0.1:8080";

/** Runs the shell blocks of a page in an empty folder and returns what they print. */
export async function runShell(blocks: string[], url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stoa-examples-"));
  try {
    await symlink(join(root, "bin"), join(folder, "bin"));
    const script = blocks.join("\n").replaceAll(address, url);
    return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a module in a page of another origin, as an app in development does, and returns what it logs. */
export async function runInBrowser(browser: Browser, file: string, url: string, picture: string): Promise<string> {
  const bundle = await build({
    entryPoints: [file], bundle: true, format: "esm", target: "es2022", write: false,
    alias: { "stoa-client": join(root, "packages/client/dist/index.js") }, footer: { js: "globalThis.finished = true;" },
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  let printed = "";
  page.on("console", (message) => {
    if (message.type() === "log") printed += `${message.text()}\n`;
  });
  const failed = new Promise<never>((_, reject) => page.on("pageerror", reject));
  failed.catch(() => {});
  const html = `<!doctype html><title>${basename(file)}</title><link rel="icon" href="data:,"><div id="app"></div><input type="file">`;
  const site = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}`);
  await page.setInputFiles("input", picture);
  await page.addScriptTag({ type: "module", content: bundle.outputFiles[0]!.text.replaceAll(address, url) });
  try {
    await Promise.race([page.waitForFunction("globalThis.finished", undefined, { timeout: 20_000 }), failed]);
  } catch (cause) {
    throw new Error(`${basename(file)} fails with ${cause} after printing\n${printed}`, { cause });
  }
  await context.close();
  site.close();
  return printed;
}

/** Reports whether a text is as expected, where `…` stands for anything within a line. */
export function matches(text: string, expected: string): boolean {
  const pattern = expected.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*");
  return new RegExp(`^${pattern}$`).test(text);
}
