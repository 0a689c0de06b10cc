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

let told = location.hash;

/** Tells all by one listener. React renders between two of them, and would show a page an address that is not its own. */
function tell(): void {
  if (told === location.hash) return;
  told = location.hash;
  followers.forEach((changed) => changed());
}

addEventListener("hashchange", tell);
// A key may come before that event. It is for the page that the address names.
addEventListener("keydown", tell, true);

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
  if (replace) history.replaceState(null, "", address);
  else location.hash = address;
  tell();
}
