import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const binary = process.env.STOA_BINARY ?? join(import.meta.dirname, "../../bin/stoa");

/** A running stoa server with its own data directory. */
export class Server {
  private constructor(
    private process: ChildProcess,
    private readonly directory: string,
    /** Its URL, such as http://127.0.0.1:40123. */
    readonly url: string,
    private readonly options: string[],
  ) {}

  /** Starts a server for the given systems on a free port and waits until it prints its address. */
  static async start(systems = "social", ...more: string[]): Promise<Server> {
    const directory = await mkdtemp(join(tmpdir(), "stoa-e2e-"));
    const options = ["--systems", systems, ...more];
    const { process, url } = await serve(directory, "127.0.0.1:0", options);
    return new Server(process, directory, url, options);
  }

  get websocketUrl(): string {
    return this.url.replace(/^http/, "ws") + "/graphql";
  }

  /** Number of running subscriptions, by the server's metrics. */
  async openSubscriptions(): Promise<number> {
    const measures = await (await fetch(`${this.url}/metrics`)).text();
    const running = /^stoa_subscriptions_open\{.*\} (\d+)$/m.exec(measures);
    return Number(running?.[1] ?? 0);
  }

  /** Kills the process, as in a crash, and starts another on the same data and port. */
  async crashAndRestart(): Promise<void> {
    await this.end("SIGKILL");
    const again = await serve(this.directory, new URL(this.url).host, this.options);
    this.process = again.process;
  }

  /** Shuts the server down, removes its data and returns its exit code. */
  async stop(): Promise<number | null> {
    await this.end("SIGTERM");
    await rm(this.directory, { recursive: true });
    return this.process.exitCode;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.process, "exit");
    this.process.kill(signal);
    await exited;
  }
}

async function serve(directory: string, listen: string, options: string[]): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(binary, ["serve", "--listen", listen, "--store", `embedded:${directory}`, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (found) resolve(found[0]);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`stoa ended with ${code}:\n${output.join("\n")}`)));
  });
  return { process: child, url: await url };
}
