import type { ResultOf } from "gql.tada";
import { type FormEvent, useState } from "react";

import { useKept } from "./kept.ts";
import { members } from "./members.ts";
import { type Item, Items, Tables } from "./operations.ts";
import { usePages, useRead } from "./read.ts";
import { go, to, useRoute } from "./route.ts";
import { Find } from "./ui/find.tsx";
import { Button, Field, Select } from "./ui/forms.tsx";
import { Empty, Loading, Missing, Problem } from "./ui/states.tsx";
import { Facts } from "./ui/table.tsx";
import { bytes, count } from "./words.ts";

/** The tables as they are stored, read only. */
export default function StorePage() {
  const { path: [, table], query } = useRoute();
  const { data, error, mutate } = useRead(Tables, {});
  const chosen = data?.tables.find(({ name }) => name === table);
  if (!members.has("Query.tables")) return <div className="solo"><header className="subject"><h1>Store</h1></header><Missing what="its store" /></div>;
  return (
    <div className={table ? "split chosen store" : "split store"}>
      <section className="list" aria-label="Tables">
        <header className="filters"><h1>Store</h1></header>
        <Problem error={error} retry={() => void mutate()} />
        {!data && !error && <Loading />}
        <ul className="lines">
          {data?.tables.map((one) => (
            <li key={one.name} className="line">
              <a href={to(["store", one.name])} aria-current={one.name === table ? "true" : undefined}>
                <span className="top"><b>{one.name}</b></span>
                <span className="dim small">{count(one.items, "item")} · {bytes(one.bytes)} · {count(one.indexes.length, "index", "indexes")}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section className="detail" aria-label="Items">
        {!table && <Empty title="No table is chosen">Choose one to read its items by their keys.</Empty>}
        {chosen && <TableView key={chosen.name + JSON.stringify(query)} table={chosen} query={query} />}
      </section>
    </div>
  );
}

type TableOf = ResultOf<typeof Tables>["tables"][number];

function TableView({ table, query }: { table: TableOf; query: Record<string, string> }) {
  const [index, setIndex] = useState(query.index ?? "");
  const [partition, setPartition] = useKept(`store.${table.name}`, query.key ?? "");
  const [sort, setSort] = useState(query.sort ?? "");
  const key = query.key ?? partition;
  const [typed, setTyped] = useState(key);
  const { items, error, more, reading, mutate } = usePages(
    Items, query.key ? { table: table.name, index: query.index ?? null, partitionKey: query.key, sortKeyPrefix: query.sort ?? null, limit: 50 } : null, (data) => data.items,
  );
  const find = (event: FormEvent) => {
    event.preventDefault();
    setPartition(typed);
    go(to(["store", table.name], { index, key: typed, sort }));
  };
  return (
    <article className="whole" aria-label={table.name}>
      <header className="heading"><a className="button quiet back" href={to(["store"])} aria-label="Back to the tables">←</a><div><h2>{table.name}</h2><p className="dim">Read only. Keys are exact; the sort key may be cut short.</p></div></header>
      <form className="controls query" onSubmit={find}>
        <Select label="Index" value={index} onChange={setIndex} options={[{ id: "", text: "Table" }, ...table.indexes.map((name) => ({ id: name, text: name }))]} />
        <Find label="Partition key" value={typed} onChange={setTyped} required mono />
        <Field label="Sort key begins with" value={sort} onChange={setSort} mono className="grow" />
        <Button type="submit" look="primary" busy={reading}>Read</Button>
      </form>
      <Problem error={error} retry={() => void mutate()} />
      {!query.key && (
        <>
          <h3>Rows of this table</h3>
          <ul className="rows">
            {table.rows.map((row) => <li key={row.name}><b>{row.name}</b><code>{row.partitionKey}</code><code>{row.sortKey}</code></li>)}
          </ul>
        </>
      )}
      {query.key && !items && !error && <Loading />}
      {items?.length === 0 && <Empty title="Nothing is stored under this key">Keys are exact, with upper and lower case.</Empty>}
      {items?.map((item) => <ItemView key={`${item.partitionKey} ${item.sortKey}`} item={item} open={items.length === 1} />)}
      {more && <div className="more"><Button look="quiet" onPress={more} busy={reading}>Show more</Button></div>}
    </article>
  );
}

function ItemView({ item, open }: { item: Item; open: boolean }) {
  return (
    <details className="stored" open={open}>
      <summary><code>{item.partitionKey}</code> <code className="dim">{item.sortKey}</code> <span className="dim">{item.row ?? "No declared row"}</span></summary>
      <div className="stack">
        {item.parts.length > 0 && <Facts facts={item.parts.map(({ name, value }) => [name, <code key={name}>{value}</code>])} />}
        {item.related.length > 0 && (
          <nav aria-label="Related rows">
            <h3>Leads to</h3>
            <ul className="related">
              {item.related.map((one) => (
                <li key={`${one.table} ${one.index} ${one.partitionKey} ${one.sortKeyPrefix}`}>
                  <a href={to(["store", one.table], { index: one.index, key: one.partitionKey, sort: one.sortKeyPrefix })}>
                    <code>{one.partitionKey}{one.sortKeyPrefix && ` / ${one.sortKeyPrefix}`}</code> <span className="dim">{one.table}{one.index && `, ${one.index}`}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <pre tabIndex={0} aria-label="Attributes">{pretty(item.attributes)}</pre>
      </div>
    </details>
  );
}

/** A JSON text with a member a line. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
