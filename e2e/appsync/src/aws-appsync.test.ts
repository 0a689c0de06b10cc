import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { signUp } from "../../src/account.ts";
import { Server } from "../../src/server.ts";
import * as documents from "../../src/journey-documents.ts";
import { journey } from "../../src/journey.ts";

const require = createRequire(import.meta.url);

let server: Server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

test("aws-appsync 3.0.3 with subscription link 2.4.3", async () => {
  assert.equal(require("aws-appsync-subscription-link/package.json").version, "2.4.3");
  const { openAppSync } = await import("./appsync.ts");
  const ana = await signUp(server, "ana");
  await journey(server, ana, "ana", openAppSync(server, ana), documents, true);
});
