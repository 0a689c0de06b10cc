import { useEffect, useRef } from "react";

/** What the keys of a page do, by `KeyboardEvent.key`. They do nothing while somebody types or a dialog is open. */
export function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = latest.current[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey || event.repeat && event.key !== "j" && event.key !== "k" || busy(event.target as Element)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

function busy(target: Element): boolean {
  return target.closest("input, textarea, select, [popover], [contenteditable]") !== null || document.querySelector("[role=dialog]") !== null;
}
