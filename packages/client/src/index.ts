/** What every app on stoa needs beside its screens; README.md has examples. */
export type { Document, Print, TypedDocument } from "./document.ts";
export { clientCodes, type Code, type Details, type Failure, type GraphQLFailure, isFailure, serverCodes, StoaError } from "./errors.ts";
export type { Handlers } from "./live.ts";
export type { Page } from "./pages.ts";
export type { Progress } from "./put.ts";
export { type Credentials, type ForeignTokens, memory, type Session, type TokenStorage } from "./session.ts";
export { type Options, Stoa } from "./stoa.ts";
export type { NewPost, Uploaded } from "./upload.ts";
