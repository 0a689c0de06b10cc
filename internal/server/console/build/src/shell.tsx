import { lazy, Suspense, useEffect, useRef, useState } from "react";

import { CasesPage } from "./cases/page.tsx";
import { useArrivals } from "./cases/arrivals.ts";
import type { Me } from "./operations.ts";
import { go, to, useRoute } from "./route.ts";
import { find, Reading } from "./ui/find.tsx";
import { useKeys } from "./ui/keys.ts";
import { Icon, Logo, type Shape } from "./ui/marks.tsx";
import { Sayings } from "./ui/states.tsx";
import { short } from "./words.ts";

// All but the queue is read when it is first needed.
const PeoplePage = lazy(() => import("./people/page.tsx"));
const TeamPage = lazy(() => import("./team/page.tsx"));
const HealthPage = lazy(() => import("./health/page.tsx"));
const StorePage = lazy(() => import("./store.tsx"));
const AuditPage = lazy(() => import("./audit.tsx"));
const SettingsPage = lazy(() => import("./settings.tsx"));
const Help = lazy(() => import("./help.tsx"));

const places: { id: Shape; title: string; forAll?: boolean; key: string }[] = [
  { id: "cases", title: "Cases", forAll: true, key: "1" },
  { id: "people", title: "People", forAll: true, key: "2" },
  { id: "team", title: "Team", forAll: true, key: "3" },
  { id: "health", title: "Health", key: "4" },
  { id: "store", title: "Store", key: "5" },
  { id: "audit", title: "Audit", key: "6" },
  { id: "settings", title: "Settings", key: "7" },
];

/** The bar, and the page that the address names. */
export function Shell({ me, leave, recheck }: { me: Me; leave: () => void; recheck: () => unknown }) {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const account = useRef<HTMLDivElement>(null);
  const open = places.filter(({ forAll }) => forAll || me.role === "OPERATOR");
  const place = open.find(({ id }) => id === route.path[0]) ?? open[0]!;
  const arrivals = useArrivals(recheck);

  useEffect(() => {
    document.title = `${arrivals.count ? `(${arrivals.count}) ` : ""}${place.title} · stoa`;
  }, [place, arrivals.count]);

  // Escape leaves a field, after which single keys work again.
  useEffect(() => {
    const leave = ({ key, target }: KeyboardEvent) => {
      if (key === "Escape" && target instanceof HTMLElement && target.matches("input, textarea") && !target.closest("[role=dialog]")) target.blur();
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  }, []);

  useKeys({
    "?": () => setHelp(true),
    "/": find,
    ...Object.fromEntries(open.map(({ id, key }) => [key, () => go(to([id]))])),
  });

  return (
    <>
      <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to the page</a>
      <header className="bar">
        <a className="brand" href={to(["cases"])} aria-label="stoa console"><Logo /><span className="wordmark">stoa</span></a>
        <nav className="places" aria-label="Pages">
          {open.map(({ id, title, key }) => (
            <a key={id} href={to([id])} aria-current={id === place.id ? "page" : undefined} aria-keyshortcuts={key}>
              <Icon shape={id} />
              <span>{title}</span>
              {id === "cases" && arrivals.count > 0 && <b className="badge">{arrivals.count}<span className="hidden"> new</span></b>}
            </a>
          ))}
        </nav>
        <button type="button" className="me" popoverTarget="account">
          <span className="hidden">Your account: </span><span>{me.role === "OPERATOR" ? "Operator" : "Moderator"}</span>
          <Icon shape="down" />
        </button>
        <div id="account" popover="auto" className="popover" ref={account}>
          <p className="who">Signed in as <code title={me.userId}>{short(me.userId)}</code></p>
          <ul className="options">
            {([["Show me among people", () => go(to(["people", me.userId]))], ["Keys", () => setHelp(true)], ["Sign out", leave]] as const).map(([title, act]) => (
              <li key={title}><button type="button" className="option" onClick={() => { account.current?.hidePopover(); act(); }}>{title}</button></li>
            ))}
          </ul>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={`page ${place.id}`}>
        <Suspense key={place.id} fallback={<Reading />}>
          {place.id === "cases" && <CasesPage me={me} arrivals={arrivals} />}
          {place.id === "people" && <PeoplePage me={me} />}
          {place.id === "team" && <TeamPage />}
          {place.id === "health" && <HealthPage />}
          {place.id === "store" && <StorePage />}
          {place.id === "audit" && <AuditPage />}
          {place.id === "settings" && <SettingsPage />}
        </Suspense>
      </main>
      <Sayings />
      {help && <Suspense><Help onClose={() => setHelp(false)} places={open} /></Suspense>}
    </>
  );
}
