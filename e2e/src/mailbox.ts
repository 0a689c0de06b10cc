import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

/** A mail server that keeps what it is sent. */
export class Mailbox {
  private readonly mails: string[] = [];
  private wake = () => {};

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Mailbox> {
    const server = createServer((socket) => {
      const say = (line: string) => socket.write(`${line}\r\n`);
      let mail: string[] | undefined;
      say("220 localhost");
      socket.on("error", () => {}); // some clients leave without a word
      createInterface({ input: socket }).on("line", (line) => {
        if (mail && line !== ".") return mail.push(line);
        if (mail) box.keep(mail.join("\n"));
        mail = /^DATA/i.test(line) ? [] : undefined;
        say(mail ? "354 go on" : /^QUIT/i.test(line) ? "221 bye" : "250 ok");
      });
    });
    const box = new Mailbox(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return box;
  }

  /** Its URL for the setting mailer. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The code in the next mail that has not been asked for. */
  async nextCode(): Promise<string> {
    while (this.mails.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    const [, body] = /\n\n([^]*)/.exec(this.mails.shift()!)!;
    return /\b\d{6}\b/.exec(body!.replaceAll("=\n", ""))![0];
  }

  close(): void {
    this.server.close();
  }

  private keep(mail: string): void {
    this.mails.push(mail);
    this.wake();
  }
}
