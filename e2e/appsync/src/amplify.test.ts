import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { signUp } from "../../src/account.ts";
import { Server } from "../../src/server.ts";
import { openAmplify } from "./amplify.ts";
import * as documents from "../../src/journey-documents.ts";
import { journey } from "../../src/journey.ts";
import { openFront } from "./tls.ts";

// The proxy's certificate is not trusted.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

const require = createRequire(import.meta.url);

let server: Server;
let front: Awaited<ReturnType<typeof openFront>>;
before(async () => {
  server = await Server.start();
  front = await openFront(server.url);
});
after(async () => {
  front.close();
  await server.stop();
});

test(`aws-amplify ${require("aws-amplify/package.json").version} behind TLS`, async () => {
  const ana = await signUp(server, "ana");
  await journey(server, ana, "ana", openAmplify(`${front.url}/graphql`, ana), documents, true);
});

test("a refused subscription is told to the app, and the connection lives on", async () => {
  const ben = await signUp(server, "ben");
  const app = openAmplify(`${front.url}/graphql`, ben);
  await app.mutate(documents.createUser, { username: "ben" });
  const refused = await new Promise<any>((resolve) => {
    app.subscribe(documents.onNotification, { userId: "us-east-1:somebody-else" }, { next: resolve, error: resolve });
  });
  assert.match(JSON.stringify(refused), /Cannot subscribe to notifications intended for another user/);
});
