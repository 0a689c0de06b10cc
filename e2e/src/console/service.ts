import { randomUUID } from "node:crypto";

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Account, signUp } from "../account.ts";
import { Server } from "../server.ts";

const rules = [
  { id: "threats", title: "No threats", text: "Do not threaten anybody, not even as a joke." },
  { id: "own-work", title: "Your own work", text: "Share what you have made, or may share.\n\nWhoever made a picture decides who shows it." },
  { id: "spam", title: "No spam", text: "Do not advertise.\n\nThat includes links to shops." },
];

/** A service with an operator and house rules, and with people who post and report. */
export class Service {
  private constructor(readonly server: Server, readonly operator: Account, private readonly directory: string, private readonly people: Map<string, Account>) {}

  static async start(): Promise<Service> {
    const directory = await mkdtemp(join(tmpdir(), "stoa-console-"));
    const file = join(directory, "rules.json");
    await writeFile(file, JSON.stringify(rules));
    const server = await Server.start("social", "--operators", "olga@example.com", "--rules-file", file, "--backup-dir", join(directory, "backups"));
    const service = new Service(server, await signUp(server, "olga"), directory, new Map());
    service.people.set("olga", service.operator);
    await service.as("olga", `mutation { createCognitoOnlyUser(username: "olga", fullName: "Olga Brandt") { userId } }`);
    return service;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.directory, { recursive: true });
  }

  /** Gives people accounts and profiles. */
  async welcome(...fullNames: string[]): Promise<void> {
    for (const fullName of fullNames) {
      const name = fullName.split(" ")[0]!.toLowerCase();
      this.people.set(name, await signUp(this.server, name));
      await this.as(name, `mutation ($fullName: String) { createCognitoOnlyUser(username: "${name}", fullName: $fullName) { userId } }`, { fullName });
    }
  }

  idOf(name: string): string {
    return this.people.get(name)!.userId;
  }

  /** Posts a text, with a picture if its JPEG is given, and returns the id. */
  async post(name: string, text: string, picture?: string): Promise<string> {
    const postId = randomUUID();
    await this.as(name, `mutation ($postId: ID!, $type: PostType, $text: String, $image: ImageInput) {
      addPost(postId: $postId, postType: $type, text: $text, imageInput: $image) { postId }
    }`, { postId, text, type: picture ? "IMAGE" : "TEXT_ONLY", image: picture ? { imageData: picture, imageFormat: "JPEG" } : null });
    return postId;
  }

  async report(name: string, postId: string, reason?: string): Promise<void> {
    await this.as(name, `mutation ($postId: ID!, $reason: String) { flagPost(postId: $postId, reason: $reason) { postId } }`, { postId, reason: reason ?? null });
  }

  /** Asks the social API as one of the people. */
  as<Data>(name: string, query: string, variables: object = {}): Promise<Data> {
    return this.ask<Data>("/graphql", this.people.get(name)!, query, variables);
  }

  /** Asks the operator API as its operator, or as somebody else. */
  desk<Data>(query: string, variables: object = {}, name = "olga"): Promise<Data> {
    return this.ask<Data>("/operator/graphql", this.people.get(name)!, query, variables);
  }

  /** Reports whether the operator API has a member, such as "Query.people". */
  async has(member: string): Promise<boolean> {
    const [type, field] = member.split(".");
    const { __type: found } = await this.desk<{ __type: { fields: { name: string }[] } | null }>(`query ($type: String!) { __type(name: $type) { fields { name } } }`, { type });
    return found?.fields.some(({ name }) => name === field) ?? false;
  }

  private async ask<Data>(path: string, account: Account, query: string, variables: object): Promise<Data> {
    const response = await fetch(this.server.url + path, {
      method: "POST", headers: { "content-type": "application/json", authorization: account.accessToken }, body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors) throw new Error(`${query} is refused: ${JSON.stringify(errors)}`);
    return data;
  }
}
