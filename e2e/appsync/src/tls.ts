import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { request } from "node:http";

import selfsigned from "selfsigned";

/** A TLS proxy in front of a server: Amplify opens sockets only over wss. */
export async function openFront(target: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(target);
  const { private: key, cert } = selfsigned.generate([{ name: "commonName", value: "localhost" }], { keySize: 2048 });
  const front = createServer({ key, cert }, (incoming, outgoing) => {
    const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  front.on("upgrade", (incoming, socket, head) => {
    const onward = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.reduce((text, word, i) => text + word + (i % 2 ? "\r\n" : ": "), "");
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    close: () => {
      front.close();
      front.closeAllConnections();
    },
  };
}
