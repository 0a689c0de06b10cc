import { useCallback, useEffect, useRef, useState } from "react";

import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { type CaseLine, Cases, type CaseStatus, type ContentKind, type Me } from "../operations.ts";
import { usePages } from "../read.ts";
import { go, to, useRoute } from "../route.ts";
import { Find } from "../ui/find.tsx";
import { Button, Select } from "../ui/forms.tsx";
import { useKeys } from "../ui/keys.ts";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { count, kinds, nameOf } from "../words.ts";
import type { Arrivals } from "./arrivals.ts";
import { CaseView } from "./case.tsx";
import { Line } from "./line.tsx";
import { Many } from "./many.tsx";

const pageSize = 50;

/** The orders of open cases, as the server sorts them. */
const orders = {
  REPORTS: (a: CaseLine, b: CaseLine) => b.reportCount - a.reportCount || a.openedAt.localeCompare(b.openedAt),
  DUE: (a: CaseLine, b: CaseLine) => a.openedAt.localeCompare(b.openedAt),
};

const noneChosen: string[] = [];

/** What somebody who looks for a case may remember of it. */
function textOf({ id, excerpt, author, kind }: CaseLine): string {
  return `${id} ${excerpt} ${nameOf(author)} ${author?.username ?? ""} ${kinds[kind]}`.toLowerCase();
}

/** The queue of cases, and the chosen one beside it. */
export function CasesPage({ me, arrivals }: { me: Me; arrivals: Arrivals }) {
  const { path: [, id], query } = useRoute();
  const status: CaseStatus = query.status === "DECIDED" ? "DECIDED" : "OPEN";
  const { system, kind, author } = query;
  const order = query.order === "DUE" ? "DUE" : "REPORTS";
  const [text, setText] = useKept("cases.find", "");
  const { items: all, error, more, reading, mutate } = usePages(
    Cases, { status, system: system ?? null, kind: (kind as ContentKind) ?? null, author: author ?? null, order, limit: pageSize }, ({ cases }) => cases, { refreshInterval: 60_000 },
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const items = words.length ? all?.filter((line) => words.every((word) => textOf(line).includes(word))) : all;
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useKept("cases.chosen", noneChosen);
  const list = useRef<HTMLUListElement>(null);
  const last = useRef(0);

  const replace = useCallback((line: CaseLine) => {
    const fits = line.status === status && (!system || line.system === system) && (!kind || line.kind === kind) && (!author || line.author?.id === author);
    void mutate((pages) => {
      if (!pages) return pages;
      const known = pages.some(({ items }) => items.some((one) => one.id === line.id));
      let changed = pages.map((page) => ({ ...page, items: page.items.flatMap((one) => (one.id === line.id ? (fits ? [line] : []) : [one])) }));
      if (fits && !known) changed = changed.map((page, i) => (i === 0 ? { ...page, items: [...page.items, line] } : page));
      if (status === "OPEN") changed = changed.map((page) => ({ ...page, items: [...page.items].sort(orders[order]) }));
      return changed;
    }, { revalidate: false });
    return fits;
  }, [mutate, status, system, kind, author, order]);

  useEffect(() => {
    arrivals.seen();
    return arrivals.follow({
      changed: (line) => {
        if (replace(line)) setFresh((all) => new Set(all).add(line.id));
        arrivals.seen();
      },
      missed: () => void mutate(),
    });
  }, [arrivals.follow, arrivals.seen, replace, mutate]);

  const index = items?.findIndex((one) => one.id === id) ?? -1;
  if (index >= 0) last.current = index;
  const address = (to_: string | undefined) => to(["cases", to_], query);
  const move = (position: number) => {
    const next = items?.[Math.max(0, Math.min(position, items.length - 1))];
    if (!next) return;
    go(address(next.id), Boolean(id));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[aria-current]`)?.focus());
  };
  useKeys({
    j: () => move(index >= 0 ? index + 1 : id ? last.current : 0),
    k: () => move(index >= 0 ? index - 1 : last.current - 1),
    x: () => id && toggle(id),
  });
  const toggle = (one: string) => {
    const others = chosen.filter((other) => other !== one);
    const next = others.length < chosen.length ? others : [...chosen, one];
    setChosen(next.length ? next : noneChosen);
  };

  // A wide screen has room for a case beside the list.
  useEffect(() => {
    if (!id && items?.[0] && matchMedia("(min-width: 1000px)").matches) go(address(items[0].id), true);
  }, [id, items]);

  const decided = (line: CaseLine) => {
    const next = items?.[index + 1] ?? items?.[index - 1];
    const leaves = !replace(line);
    if (leaves && index >= 0) {
      go(address(next?.id), true);
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-current]")?.focus());
    }
  };

  const filter = (change: Record<string, string | undefined>) => go(to(["cases"], { ...query, ...change }));
  const some = items?.filter(({ id }) => chosen.includes(id)) ?? [];
  const several = members.has("Mutation.decideCases");
  return (
    <div className={id ? "split chosen" : "split"}>
      <section className="list" aria-label="Queue of cases">
        <header className="filters">
          <h1 className="hidden">Cases</h1>
          <nav className="switch" aria-label="Status">
            <a href={to(["cases"], { ...query, status: undefined })} aria-current={status === "OPEN" ? "true" : undefined}>Open</a>
            <a href={to(["cases"], { ...query, status: "DECIDED" })} aria-current={status === "DECIDED" ? "true" : undefined}>Decided</a>
          </nav>
          <span className="dim count" aria-live="polite">{items && (more ? `${items.length}+ cases` : count(items.length, "case"))}</span>
          {status === "OPEN" && (
            <Select
              label="Order" hidden value={order} onChange={(value) => filter({ order: value === "DUE" ? value : undefined })}
              options={[{ id: "REPORTS", text: "Most reports" }, { id: "DUE", text: "First due" }]}
            />
          )}
          <div className="row">
            <Find label="Find in the queue" hidden type="search" placeholder="Find ( / )" value={text} onChange={setText} />
            {me.systems.length > 1 && (
              <Select label="System" hidden value={system ?? ""} onChange={(value) => filter({ system: value })} options={[{ id: "", text: "All systems" }, ...me.systems.map((name) => ({ id: name, text: name }))]} />
            )}
            <Select
              label="Kind" hidden value={kind ?? ""} onChange={(value) => filter({ kind: value })}
              options={[{ id: "", text: "All kinds" }, ...members.values("ContentKind").map((name) => ({ id: name, text: kinds[name as ContentKind] ?? name }))]}
            />
          </div>
          {author && <p className="note">Cases of one author. <a href={to(["cases"], { ...query, author: undefined })}>Show all</a></p>}
        </header>
        {several && some.length > 0 && <Many lines={some} clear={() => setChosen(noneChosen)} decided={replace} />}
        <Problem error={error} retry={() => void mutate()} />
        {!items && !error && <Loading lines={6} />}
        {items?.length === 0 && words.length > 0 && <Empty title="No case matches">Only the cases shown were searched.</Empty>}
        {all?.length === 0 && words.length === 0 && (
          <Empty title={status === "OPEN" ? "Nothing to decide" : "Nothing has been decided yet"}>{status === "OPEN" ? "What people report appears here by itself." : "Cases appear here once they are decided."}</Empty>
        )}
        <ul ref={list} className="lines">
          {items?.map((line, i) => (
            <Line
              key={line.id} line={line} me={me} href={address(line.id)} current={line.id === id} reachable={index < 0 ? i === 0 : i === index} fresh={fresh.has(line.id)}
              move={(step) => move(i + step)} {...(several && { chosen: chosen.includes(line.id), toggle: () => toggle(line.id) })}
            />
          ))}
        </ul>
        {more && <div className="more"><Button look="quiet" onPress={more} busy={reading}>Show more</Button></div>}
      </section>
      <section className="detail" aria-label="Case">
        {id
          ? <CaseView key={id} id={id} line={items?.[index]} me={me} back={address(undefined)} arrivals={arrivals} decided={decided} changed={replace} />
          : <Empty title="No case is chosen">Press <kbd>j</kbd> for the first one.</Empty>}
      </section>
    </div>
  );
}
