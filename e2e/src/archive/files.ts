import { crc32, deflateSync } from "node:zlib";

/** Encodes integers for file formats, big-endian by default. */
const u32 = (n: number): Buffer => Buffer.from(Uint32Array.of(n).buffer).swap32();
const le = (size: 2 | 4, n: number): Buffer => {
  const b = Buffer.alloc(size);
  b.writeUIntLE(n, 0, size);
  return b;
};

/** A PNG image of uniform grey. */
export function png(width: number, height: number, grey: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
  };
  const line = Buffer.alloc(width + 1, grey);
  line[0] = 0; // filter type none
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])])),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A ZIP archive with uncompressed entries. */
export function zip(entries: Record<string, Buffer>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, data] of Object.entries(entries)) {
    const name = Buffer.from(path);
    const common = Buffer.concat([
      le(2, 20), le(2, 0x800), le(2, 0), le(2, 0), le(2, 0x21), le(4, crc32(data)), le(4, data.length), le(4, data.length), le(2, name.length), le(2, 0),
    ]);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, data]);
    directory.push(Buffer.from("PK\x01\x02"), le(2, 20), common, le(2, 0), le(2, 0), le(2, 0), le(4, 0), le(4, offset), name);
    files.push(file);
    offset += file.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = le(2, files.length);
  return Buffer.concat([...files, ...directory, Buffer.from("PK\x05\x06"), le(2, 0), le(2, 0), count, count, le(4, size), le(4, offset), le(2, 0)]);
}

/** Width and height of a JPEG image. */
export function jpegSize(data: Buffer): { width: number; height: number } {
  for (let at = 2; at < data.length; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
  }
  throw new Error("no JPEG image");
}
