import assert from "node:assert/strict";
import Module, { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { signUp } from "../../src/account.ts";
import { Server } from "../../src/server.ts";
import * as documents from "../../src/journey-documents.ts";
import { journey } from "../../src/journey.ts";

const require = createRequire(import.meta.url);

// The lock files of old apps contain this version of the link.
const resolve = (Module as any)._resolveFilename;
(Module as any)._resolveFilename = (request: string, ...rest: unknown[]) =>
  resolve(request.replace(/^aws-appsync-subscription-link(?=$|\/)/, "aws-appsync-subscription-link-2.1.0"), ...rest);

let server: Server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

test("aws-appsync 3.0.3 with subscription link 2.1.0", async () => {
  assert.equal(require("aws-appsync-subscription-link/package.json").version, "2.1.0");
  const { openAppSync } = await import("./appsync.ts");
  const ana = await signUp(server, "ana");
  // This version does not notice a closed socket until it has received no keep-alive for
  // five minutes.
  await journey(server, ana, "ana", openAppSync(server, ana), documents, false);
});
