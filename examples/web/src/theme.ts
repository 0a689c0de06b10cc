export type Theme = "system" | "light" | "dark";

/** The colors that the user prefers on this device. */
export function theme(): Theme {
  return (localStorage.getItem("theme") as Theme | null) ?? "system";
}

export function applyTheme(chosen = theme()): void {
  localStorage.setItem("theme", chosen);
  document.documentElement.style.colorScheme = chosen === "system" ? "light dark" : chosen;
}
