import { useSyncExternalStore } from "react";

/** Where in the console one is, as its address says: #/cases/ID?status=DECIDED. */
export interface Route {
  path: string[];
  query: Record<string, string>;
}

let current = read();

function read(): Route & { hash: string } {
  const hash = location.hash;
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { hash, path: path.split("/").filter(Boolean).map(decodeURIComponent), query: Object.fromEntries(new URLSearchParams(query)) };
}

const followers = new Set<() => void>();

// All are told by one listener. React renders between two of them, and would show a page an address that is not its own.
addEventListener("hashchange", () => followers.forEach((changed) => changed()));

function subscribe(changed: () => void): () => void {
  followers.add(changed);
  return () => void followers.delete(changed);
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, () => (current.hash === location.hash ? current : (current = read())));
}

/** The address of a place. Empty parameters are left out. */
export function to(path: readonly (string | undefined)[], query: Record<string, string | undefined | null> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.filter(Boolean).map((part) => encodeURIComponent(part!)).join("/")}${search && `?${search}`}`;
}

/** Goes to an address; with replace, Back does not return to the present one. */
export function go(address: string, replace = false): void {
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
