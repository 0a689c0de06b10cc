import type { Server } from "./servers.ts";

/** A JSON value of DynamoDB's protocol. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** Undefined members are omitted. */
export type JsonObject = { [key: string]: Json | undefined };

/** A request as sent over the wire; it need not be valid. */
export interface Request {
  operation: string;
  body: JsonObject;
}

/** A response. error is the exception's name without its namespace, or "no answer". */
export type Answer = { error?: undefined; body: JsonObject } | { error: string; message: string; body: JsonObject };

// No peer verifies signatures, but all require one.
const headers = {
  "Content-Type": "application/x-amz-json-1.0",
  "X-Amz-Date": "20250101T000000Z",
  Authorization:
    "AWS4-HMAC-SHA256 Credential=differential/20250101/us-east-1/dynamodb/aws4_request, " +
    "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=00",
};

/** Timeout of a request in milliseconds, after which the server counts as dead. */
const patience = 5_000;

/** Sends a request without an SDK, so that the client validates nothing. */
export async function send(server: Server, request: Request): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(server.url, {
      method: "POST",
      headers: { ...headers, "X-Amz-Target": `DynamoDB_20120810.${request.operation}` },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(patience),
    });
  } catch (error) {
    return { error: "no answer", message: String(error), body: {} };
  }
  const text = await response.text();
  let body: JsonObject;
  try {
    body = JSON.parse(text) as JsonObject;
  } catch {
    return { error: `HTTP ${response.status}`, message: text, body: {} };
  }
  if (response.ok) return { body };
  const { __type, message, Message, ...rest } = body;
  return { error: String(__type).replace(/^.*#/, ""), message: String(message ?? Message ?? ""), body: rest };
}
