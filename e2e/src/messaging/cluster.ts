import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const binary = process.env.STOA_BINARY ?? join(import.meta.dirname, "../../../bin/stoa");
const nats = process.env.NATS_BINARY ?? join(import.meta.dirname, "../../out/nats-server");

/** A program that prints its address. */
export class Running {
  constructor(
    private readonly child: ChildProcess,
    readonly address: string,
  ) {}

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill(signal);
    await exited;
  }
}

/** Processes of stoa that share a store behind an endpoint, with events over NATS. */
export class Cluster {
  private readonly all: Running[] = [];

  private constructor(
    private readonly directory: string,
    private readonly store: string,
    private readonly bus: string,
  ) {}

  static async start(): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), "stoa-e2e-"));
    const bus = await run(nats, ["-a", "127.0.0.1", "-p", "-1"], /127\.0\.0\.1:\d+/);
    const tables = await run(binary, ["dynamodb", "--listen", "127.0.0.1:0", "--store", `embedded:${directory}`], /http:\/\/127\.0\.0\.1:\d+/);
    const cluster = new Cluster(directory, tables.address, `nats://${bus.address}`);
    cluster.all.push(bus, tables);
    const apply = spawn(binary, ["tables", "apply", "--systems", "messaging", "--store", tables.address], { env: environment });
    const [code] = (await once(apply, "exit")) as [number];
    if (code !== 0) throw new Error(`stoa tables apply ended with ${code}`);
    return cluster;
  }

  /** Starts another process. */
  async join(): Promise<Running> {
    const joined = await run(
      binary,
      ["serve", "--listen", "127.0.0.1:0", "--systems", "messaging", "--store", this.store, "--bus", this.bus, "--media", "memory:"],
      /http:\/\/127\.0\.0\.1:\d+/,
    );
    this.all.push(joined);
    return joined;
  }

  async stop(): Promise<void> {
    for (const running of this.all.reverse()) await running.end("SIGKILL");
    await rm(this.directory, { recursive: true });
  }
}

const environment = { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any", AWS_REGION: "us-east-1" };

async function run(program: string, args: string[], says: RegExp): Promise<Running> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: environment });
  const output: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        const found = says.exec(line);
        if (found) resolve(found[0]);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}:\n${output.join("\n")}`)));
  });
  return new Running(child, address);
}
