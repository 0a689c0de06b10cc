import { fromStatus, isFailure, StoaError } from "./errors.ts";
import { type Progress, put } from "./put.ts";
import type { Stoa } from "./stoa.ts";
import { insist, wait } from "./wait.ts";

/** A post of a picture or video: arguments of the mutation `addPost`. */
export interface NewPost {
  /** A version 4 UUID; a new one if omitted. */
  postId?: string;
  /** IMAGE if omitted. */
  postType?: "IMAGE" | "VIDEO";
  albumId?: string;
  lifetime?: string;
  text?: string;
  keywords?: string[];
  imageInput?: Record<string, unknown>;
  setAsUserPhoto?: boolean;
  commentsDisabled?: boolean;
  likesDisabled?: boolean;
  sharingDisabled?: boolean;
  verificationHidden?: boolean;
}

/** A post whose picture or video everybody can see. */
export interface Uploaded {
  postId: string;
  postStatus: "COMPLETED";
}

type State = { postId: string; postStatus: string; imageUploadUrl: string | null; videoUploadUrl: string | null };

/** The part of Stoa that an upload needs. */
type API = Pick<Stoa, "query" | "mutate">;

const state = "postId postStatus imageUploadUrl videoUploadUrl";
const readPost = `query UploadedPost($postId: ID!) { post(postId: $postId) { ${state} } }`;
const types: Record<keyof NewPost, string> = {
  postId: "ID!", postType: "PostType", albumId: "ID", lifetime: "String", text: "String", keywords: "[String!]", imageInput: "ImageInput",
  setAsUserPhoto: "Boolean", commentsDisabled: "Boolean", likesDisabled: "Boolean", sharingDisabled: "Boolean", verificationHidden: "Boolean",
};
const names = Object.keys(types) as (keyof NewPost)[];
const addPost = `mutation UploadPost(${names.map((name) => `$${name}: ${types[name]}`).join(", ")}) {
  addPost(${names.map((name) => `${name}: $${name}`).join(", ")}) { ${state} }
}`;

/** How often the post is added, and its bytes are sent, at most. */
const attempts = 4;

/**
 * Adds a post, sends its file and waits until the post is COMPLETED. Otherwise it fails with the reason: the server refuses
 * the post or the file, could not use the bytes (UPLOAD_UNFIT), or is not reached (NETWORK). The server takes the bytes only
 * once, so that sending them again after a lost answer is harmless.
 */
export async function upload(api: API, post: NewPost, file: Blob, onProgress: Progress = () => {}, signal?: AbortSignal): Promise<Uploaded> {
  const imageInput = file.type === "image/heic" ? { imageFormat: "HEIC", ...post.imageInput } : post.imageInput;
  const wanted = { postType: "IMAGE" as const, ...post, postId: post.postId ?? uuid(), ...(imageInput && { imageInput }) };
  const { postId } = wanted;
  try {
    const added = await add(api, wanted);
    const url = added.imageUploadUrl ?? added.videoUploadUrl;
    if (added.postStatus === "PENDING" && url) await send(url, file, onProgress, signal);
    return await completed(api, postId, signal);
  } catch (error) {
    if (isFailure(error)) throw new StoaError(error.code, error.message, { ...error.details, postId });
    throw error;
  }
}

/** Adds the post. If the response is lost, the post may exist or not. */
function add(api: API, post: NewPost & { postId: string }): Promise<State> {
  return insist(async () => {
    try {
      return (await api.mutate<{ addPost: State }>(addPost, post)).addPost;
    } catch (error) {
      const there = isFailure(error) && error.code === "NETWORK" && (await read(api, post.postId));
      if (there) return there;
      throw error;
    }
  }, attempts);
}

async function send(url: string, file: Blob, onProgress: Progress, signal?: AbortSignal): Promise<void> {
  const { status, body, retryAfter } = await insist(() => put(url, file, onProgress, signal), attempts, signal);
  if (status >= 300) throw fromStatus(status, body, retryAfter);
}

/** Asks for the state until it is final. It mostly is at once, because the server answers an upload after processing it. */
async function completed(api: API, postId: string, signal?: AbortSignal): Promise<Uploaded> {
  for (let pause = 100; ; pause = Math.min(2 * pause, 2000)) {
    const post = await read(api, postId);
    signal?.throwIfAborted();
    if (!post) throw new StoaError("NOT_FOUND", "the post was deleted during its upload");
    if (post.postStatus === "COMPLETED") return { postId, postStatus: "COMPLETED" };
    if (post.postStatus === "ERROR") throw new StoaError("UPLOAD_UNFIT", "the server could not use the file: it is damaged, or of another type than it says");
    if (post.postStatus !== "PENDING" && post.postStatus !== "PROCESSING") throw new StoaError("CONFLICT", `the post is ${post.postStatus}`);
    await wait(pause, signal);
  }
}

async function read(api: API, postId: string): Promise<State | null> {
  return (await api.query<{ post: State | null }>(readPost, { postId })).post;
}

/** A version 4 UUID. Pages without https do not have randomUUID. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
