import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { inflateRawSync } from "node:zlib";

/** Unpacks an archive into a new directory, and returns that. */
export async function unzip(path: string): Promise<string> {
  const archive = await readFile(path);
  const directory = await mkdtemp(join(tmpdir(), "stoa-unzip-"));
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number];
    const local = archive.readUInt32LE(at + 42);
    const file = normalize(archive.toString("utf8", at + 46, at + 46 + name));
    if (file.startsWith("..") || file.startsWith("/")) throw new Error(`the archive has a file ${file}`);
    const content = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(content, content + size);
    await mkdir(dirname(join(directory, file)), { recursive: true });
    if (!file.endsWith("/")) await writeFile(join(directory, file), method === 0 ? packed : inflateRawSync(packed));
    at += 46 + name + extra + comment;
  }
  return directory;
}
