/** Codes that the server gives, in `extensions.code` over GraphQL and in `error.code` under /auth. */
export const serverCodes = [
  "INVALID", "NOT_FOUND", "CONFLICT", "FORBIDDEN", "BAD_INPUT", "BAD_REFERENCE", "CONCURRENT_UPDATE", "LIMIT_EXCEEDED",
  "PRECONDITION_FAILED", "UNAUTHENTICATED", "UNCONFIRMED", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "COMPLEXITY_LIMIT_EXCEEDED",
  "ALREADY_DONE", "IDEMPOTENCY_KEY_IN_USE", "IDEMPOTENCY_KEY_MALFORMED", "IDEMPOTENCY_KEY_REUSED", "ANSWER_TOO_LARGE",
  "PERSISTED_QUERY_NOT_FOUND", "PERSISTED_QUERY_HASH_MISMATCH", "SUBSCRIPTION_NEEDS_STREAM", "TOO_MANY_OPERATIONS", "RATE_LIMITED",
  "TIMEOUT", "CANCELLED", "INTERNAL", "METHOD_NOT_ALLOWED", "TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "SUSPENDED",
] as const;

/**
 * Codes that this package gives: NETWORK if no answer arrived, so that it is not known whether the server did what it was
 * asked; UPLOAD_UNFIT if the server could not use the bytes of a picture or video; UNKNOWN for a code of a newer server.
 */
export const clientCodes = ["NETWORK", "UPLOAD_UNFIT", "UNKNOWN"] as const;

/** What an error is about. */
export type Code = (typeof serverCodes)[number] | (typeof clientCodes)[number];

/** One element of `errors` in a GraphQL answer. */
export interface GraphQLFailure {
  message: string;
  path?: readonly (string | number)[] | null;
  errorInfo?: readonly string[] | null;
  extensions?: { code?: string; [name: string]: unknown };
}

/** What is known of an error beside its code and text. */
export interface Details {
  /** HTTP status, if an answer arrived. */
  status?: number;
  /** Seconds to wait before trying again. */
  retryAfter?: number;
  /** All errors of the answer; the error itself is the first. */
  errors?: readonly GraphQLFailure[];
  /** What the answer has beside the errors. */
  data?: unknown;
  /** With UNCONFIRMED, the account that `Session.confirm` and `resend` are about. */
  userId?: string;
  /** With SUSPENDED, a token that `appealDecision` and `replyToAppeal` accept. */
  appealToken?: string;
  /** The post of an upload that failed. */
  postId?: string;
  cause?: unknown;
}

/** An error of the server, or of reaching it. */
export class StoaError<C extends Code = Code> extends Error {
  override readonly name = "StoaError";

  constructor(
    /** Its kind: branch on it, and not on the text. */
    readonly code: C,
    message: string,
    readonly details: Details = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** A StoaError as a union by code, for a `switch` that the compiler checks for completeness. */
export type Failure = { [C in Code]: StoaError<C> }[Code];

/** Reports whether a caught value is an error of this package. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof StoaError;
}

/** The error of an answer with `errors`. */
export function fromGraphQL(errors: readonly GraphQLFailure[], details: Details = {}): StoaError {
  const first = errors[0];
  const code = first?.extensions?.code;
  return new StoaError(known(code), first?.message ?? "the answer has an empty list of errors", { ...details, errors });
}

/** The error of an answer with a status of 400 and above, whichever form its body has. */
export function fromStatus(status: number, body: string, retryAfter?: string | null): StoaError {
  const details: Details = { status };
  if (retryAfter && Number.isFinite(Number(retryAfter))) details.retryAfter = Number(retryAfter);
  const { errors, error } = parse(body);
  if (error?.userId) details.userId = error.userId;
  if (error?.appealToken) details.appealToken = error.appealToken;
  if (errors?.[0]?.extensions?.code) return fromGraphQL(errors, details);
  const message = error?.message ?? errors?.[0]?.message ?? (body.trim() || `HTTP status ${status}`);
  return new StoaError(error ? known(error.code) : byStatus[status] ?? (status >= 500 ? "INTERNAL" : "INVALID"), message, details);
}

/** Codes of answers that carry none: those given before an operation is read, and those to uploads. */
const byStatus: Record<number, Code> = {
  401: "UNAUTHENTICATED", 403: "FORBIDDEN", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED", 408: "TIMEOUT", 413: "TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE", 429: "RATE_LIMITED",
};

function known(code: string | undefined): Code {
  return serverCodes.find((known) => known === code) ?? "UNKNOWN";
}

function parse(body: string): { errors?: GraphQLFailure[]; error?: { code: string; message: string; userId?: string; appealToken?: string } } {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}
