import { useCallback, useState } from "react";

const prefix = "stoa.console.draft.";

/** State that survives a reload of the tab, such as what somebody is typing. */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [state, setState] = useState<{ name: string; value: Value }>();
  const value = state?.name === name ? state.value : load(name, initial);
  const set = useCallback((next: Value) => {
    if (next === initial) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(next));
    setState({ name, value: next });
  }, [name, initial]);
  return [value, set];
}

function load<Value>(name: string, initial: Value): Value {
  const text = sessionStorage.getItem(prefix + name);
  return text === null ? initial : (JSON.parse(text) as Value);
}

/** Forgets everything that was kept. */
export function forget(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}
