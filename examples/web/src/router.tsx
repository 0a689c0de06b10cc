import { type AnchorHTMLAttributes, useSyncExternalStore } from "react";

const watchers = new Set<() => void>();
const changed = () => watchers.forEach((watch) => watch());
addEventListener("popstate", changed);

/** The path of the screen to show. */
export function usePath(): string {
  return useSyncExternalStore((watch) => (watchers.add(watch), () => watchers.delete(watch)), () => location.pathname);
}

/** Shows another screen. */
export function go(path: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  scrollTo(0, 0);
  changed();
}

/** A link to a screen of the app. */
export function Link({ to, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}
