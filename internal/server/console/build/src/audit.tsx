import { useState } from "react";

import { Audit, type AuditLine } from "./operations.ts";
import { usePages } from "./read.ts";
import { go, to, useRoute } from "./route.ts";
import { Find } from "./ui/find.tsx";
import { Button, Field } from "./ui/forms.tsx";
import { Loading, Problem } from "./ui/states.tsx";
import { Facts } from "./ui/table.tsx";
import { When } from "./ui/marks.tsx";
import { at, short } from "./words.ts";

/** The audit log, newest first. */
export default function AuditPage() {
  const { query } = useRoute();
  const { items, error, more, reading, mutate } = usePages(
    Audit, { actor: query.actor ?? null, subject: query.subject ?? null, limit: 50 }, ({ audit }) => audit, { refreshInterval: 15_000 },
  );
  return (
    <div className="solo">
      <header className="subject">
        <h1>Audit</h1>
        <Filter key={JSON.stringify(query)} query={query} />
      </header>
      <Problem error={error} retry={() => void mutate()} />
      {!items && !error && <Loading lines={8} />}
      {items?.length === 0 && <p className="none">{query.actor || query.subject ? "No line is about that." : "Nothing has been done yet."}</p>}
      <ol className="log" aria-label="Lines of the audit log">{items?.map((line) => <LogLine key={line.id} line={line} />)}</ol>
      {more && <div className="more"><Button look="quiet" onPress={more} busy={reading}>Show more</Button></div>}
    </div>
  );
}

function Filter({ query }: { query: Record<string, string> }) {
  const [actor, setActor] = useState(query.actor ?? "");
  const [subject, setSubject] = useState(query.subject ?? "");
  return (
    <form className="controls" onSubmit={(event) => { event.preventDefault(); go(to(["audit"], { actor: actor.trim(), subject: subject.trim() })); }}>
      <Find label="Who acted" hidden placeholder="Who acted: a user id" value={actor} onChange={setActor} mono />
      <Field label="About whom or what" hidden placeholder="About whom or what: an id" value={subject} onChange={setSubject} mono className="grow" />
      <Button type="submit" look="quiet">Find</Button>
      {(query.actor || query.subject) && <a className="button quiet" href={to(["audit"])}>Show all</a>}
    </form>
  );
}

function LogLine({ line }: { line: AuditLine }) {
  return (
    <li>
      <details>
        <summary>
          <span className="when dim"><When time={line.time} /></span>
          <b>{line.action}</b>
          <span className="about">{line.subject && <code>{line.subject}</code>}{line.note && <q>{line.note}</q>}</span>
          <span className="dim">{line.role === "OPERATOR" ? "Operator" : "Moderator"} {short(line.actor)}</span>
        </summary>
        <div className="stack">
          <Facts facts={[
            ["Time", at(line.time)],
            ["Who", <a key="who" href={to(["people", line.actor])}><code>{line.actor}</code></a>],
            ["About", line.subject && <Subject key="about" subject={line.subject} />],
            ["Note", line.note],
            ["Address", line.address && <code key="address">{line.address}</code>],
            ["Request", line.requestId && <code key="request">{line.requestId}</code>],
          ]} />
          <Changes before={line.before} after={line.after} />
        </div>
      </details>
    </li>
  );
}

/** Subjects are cases, people, or names of jobs and settings. */
function Subject({ subject }: { subject: string }) {
  const parts = subject.split(":");
  const path = parts.length > 2 && /^[A-Z_]+$/.test(parts[1]!) ? ["cases", subject] : /[0-9a-f]{8}-[0-9a-f]{4}-/.test(subject) ? ["people", subject] : undefined;
  return path ? <a href={to(path)}><code>{subject}</code></a> : <code>{subject}</code>;
}

/** What a line has changed, member by member. */
function Changes({ before, after }: { before: string | null; after: string | null }) {
  const [was, is] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  if (names.length === 0) return null;
  return (
    <table className="changes">
      <thead><tr><th scope="col">Changed</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}><th scope="row">{name}</th><td><code>{textOf(was[name])}</code></td><td><code>{textOf(is[name])}</code></td></tr>
        ))}
      </tbody>
    </table>
  );
}

function membersOf(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = text ? JSON.parse(text) : {};
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { value };
  } catch {
    return { value: text };
  }
}

function textOf(value: unknown): string {
  return value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
}
