import { type ReactNode } from "react";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are on the right; wide ones take what is left. */
  kind?: "number" | "wide" | "action";
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  id: (row: Row) => string;
  empty: string;
}

/** A table, which becomes cards on a narrow screen. Its roles are given, since styles take them away in some browsers. */
export function Table<Row>({ label, columns, rows, id, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p className="none">{empty}</p>;
  return (
    <table className="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">{columns.map(({ title, kind }) => <th key={title} className={kind} role="columnheader" scope="col">{kind === "action" ? <span className="hidden">{title}</span> : title}</th>)}</tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={id(row)} role="row">{columns.map(({ title, cell, kind }) => <td key={title} role="cell" className={kind} data-title={title}>{cell(row)}</td>)}</tr>
        ))}
      </tbody>
    </table>
  );
}

/** Facts in two columns. */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className="facts">
      {facts.filter(([, value]) => value !== null && value !== undefined && value !== false).map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Panel({ title, children, side, id }: { title: string; children: ReactNode; side?: ReactNode; id?: string }) {
  return (
    <section className="panel" aria-label={title} id={id}>
      <header><h2>{title}</h2>{side}</header>
      {children}
    </section>
  );
}

/** A number that tells at a glance. What the server does not have is left out. */
export function Reading({ title, value, hint, bad }: { title: string; value: ReactNode; hint: string; bad?: boolean }) {
  if (value === undefined) return null;
  return (
    <div className={bad ? "bad" : undefined}>
      <dt>{title}</dt>
      <dd><b>{value}</b> <span>{hint}</span></dd>
    </div>
  );
}
