import { type Answer, answerOf, lost } from "./http.ts";

/** Called as bytes are sent. */
export type Progress = (sent: number, total: number) => void;

/** Sends a file to a signed URL: by XMLHttpRequest where there is one, because fetch tells no progress in browsers. */
export function put(url: string, file: Blob, onProgress: Progress, signal?: AbortSignal): Promise<Answer> {
  return typeof XMLHttpRequest === "undefined" ? putByFetch(url, file, onProgress, signal) : putByXHR(url, file, onProgress, signal);
}

function putByXHR(url: string, file: Blob, onProgress: Progress, signal?: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    if (file.type) request.setRequestHeader("content-type", file.type);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded, file.size);
    request.onload = () => resolve({ status: request.status, body: request.responseText, retryAfter: request.getResponseHeader("retry-after") });
    request.onerror = () => reject(lost(url));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

async function putByFetch(url: string, file: Blob, onProgress: Progress, signal?: AbortSignal): Promise<Answer> {
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      onProgress((sent += chunk.byteLength), file.size);
    },
  });
  // Storage behind a signed URL wants to know the length beforehand; duplex is required for a stream.
  const headers = { "content-length": String(file.size), ...(file.type && { "content-type": file.type }) };
  const init = { method: "PUT", headers, body: file.stream().pipeThrough(counted), duplex: "half", signal: signal ?? null };
  return answerOf(url, () => fetch(url, init as RequestInit), signal);
}
