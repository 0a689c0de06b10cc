import { useState } from "react";
import { mutate as again } from "swr";

import { Standing } from "../cases/author.tsx";
import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { Audit, Cases, type Me, NoteOnPerson, PersonById, type PersonWhole } from "../operations.ts";
import { keyOf, useRead } from "../read.ts";
import { to } from "../route.ts";
import { ask } from "../server.ts";
import { Button, Field } from "../ui/forms.tsx";
import { Chip, Face, Icon, PersonLink, When } from "../ui/marks.tsx";
import { Empty, Loading, Problem, say } from "../ui/states.tsx";
import { Facts, Panel, Table } from "../ui/table.tsx";
import { at, count, kinds, nameOf, verdicts } from "../words.ts";
import { Actions } from "./actions.tsx";
import { lineOf } from "./page.tsx";

export type Person = Partial<PersonWhole> & ReturnType<typeof lineOf>;

/** All that is known of a person, and what can be done about them. */
export function PersonView({ id, me, back }: { id: string; me: Me; back: string }) {
  const { data, error, mutate } = useRead(PersonById, { id });
  const [changed, setChanged] = useState<Person>();
  const known = members.has("Query.person");
  const person: Person | null | undefined = known ? data?.person : changed ?? lineOf(id);
  const put = (next: PersonWhole) => {
    void again(keyOf(Audit, deedsOf(id)));
    if (known) void mutate({ person: next }, { revalidate: false });
    else setChanged(next);
  };
  if (data && !data.person) return <Empty title="There is no such person"><a href={back}>Find somebody else</a></Empty>;
  if (!person) return <><Problem error={error} retry={() => void mutate()} />{!error && <Loading lines={5} />}</>;
  return (
    <article className="whole" aria-label={nameOf(person)}>
      <header className="heading">
        <a className="button quiet back" href={back} aria-label="Back to the list"><Icon shape="back" /></a>
        <Face person={person} large />
        <div>
          <h2>{nameOf(person)}</h2>
          <p className="dim">{person.username && `@${person.username}`} <Standing person={person} /></p>
        </div>
        <Actions person={person} me={me} put={put} />
      </header>
      <Problem error={error} retry={() => void mutate()} />
      {person.suspension && (
        <div className="notice warn">
          <p><b>Suspended</b> {person.suspension.until ? <>until {at(person.suspension.until)}</> : "until somebody reinstates them"}, <When time={person.suspension.since} />{person.suspension.by && <> by <PersonLink person={person.suspension.by} /></>}: {person.suspension.reason}</p>
        </div>
      )}
      {person.counts && (
        <ul className="counts wide">
          <li><b>{person.counts.content.toLocaleString("en")}</b> items</li>
          <li><b>{person.counts.removals.toLocaleString("en")}</b> removed</li>
          <li><b>{person.counts.reportsAgainst.toLocaleString("en")}</b> reports against</li>
          <li><b>{person.counts.reportsBy.toLocaleString("en")}</b> reports by</li>
        </ul>
      )}
      <div className="panels">
        <Panel title="Facts">
          <Facts facts={[
            ["User id", <code key="id">{person.id}</code>],
            ["E-mail", person.email && <>{person.email} {person.emailVerified && <Chip tone="good">verified</Chip>}</>],
            ["Phone", person.phone && <>{person.phone} {person.phoneVerified && <Chip tone="good">verified</Chip>}</>],
            ["Systems", person.systems.join(", ") || null],
            ["Status", person.status?.toLowerCase()],
            ["Here since", person.createdAt && at(person.createdAt)],
            ["Last seen", person.lastSeenAt && <When key="seen" time={person.lastSeenAt} />],
          ]} />
        </Panel>
        {known && <Notes person={person} put={put} />}
        <CasesOf id={person.id} />
        {person.sessions && person.sessions.length > 0 && (
          <Panel title="Sessions">
            <Table
              label="Sessions" rows={person.sessions} id={(one) => one.id} empty="None."
              columns={[
                { title: "Client", kind: "wide", cell: (one) => one.client ?? "Unknown" },
                { title: "Address", cell: (one) => one.address ?? "" },
                { title: "Last used", cell: (one) => <When time={one.lastUsedAt} /> },
              ]}
            />
          </Panel>
        )}
        {person.devices && person.devices.length > 0 && (
          <Panel title="Devices">
            <Table
              label="Devices" rows={person.devices} id={(one) => one.id} empty="None."
              columns={[{ title: "Kind", kind: "wide", cell: (one) => one.kind }, { title: "Last seen", cell: (one) => one.lastSeenAt && <When time={one.lastSeenAt} /> }]}
            />
          </Panel>
        )}
        {me.role === "OPERATOR" && <Deeds id={person.id} />}
      </div>
    </article>
  );
}

function Notes({ person, put }: { person: Person; put: (next: PersonWhole) => void }) {
  const [text, setText] = useKept(`person-note.${person.id}`, "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const add = async () => {
    setBusy(true);
    setError(undefined);
    try {
      put((await ask(NoteOnPerson, { id: person.id, note: text })).noteOnPerson);
      setText("");
      say("The note is saved.");
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Notes">
      {person.notes?.length === 0 && <p className="dim">Notes are for colleagues: the person never sees them.</p>}
      <ol className="timeline">
        {person.notes?.map((note) => <li key={note.when}><p className="words">{note.text}</p><p className="dim small">{nameOf(note.who)}, <When time={note.when} /></p></li>)}
      </ol>
      {members.has("Mutation.noteOnPerson") && (
        <div className="controls">
          <Field label="New note" hidden placeholder="New note" value={text} onChange={setText} lines={1} maxLength={1000} className="grow" />
          <Button look="quiet" busy={busy} isDisabled={!text} onPress={() => void add()}>Add</Button>
        </div>
      )}
      <Problem error={error} />
    </Panel>
  );
}

function CasesOf({ id }: { id: string }) {
  const open = useRead(Cases, { author: id, status: "OPEN", limit: 10 });
  const decided = useRead(Cases, { author: id, status: "DECIDED", limit: 10 });
  const error: unknown = open.error ?? decided.error;
  const all = open.data && decided.data && [...open.data.cases.items, ...decided.data.cases.items];
  return (
    <Panel title="Cases" side={all && all.length > 0 && <a href={to(["cases"], { author: id })}>Show as queue</a>}>
      <Problem error={error} />
      {!all && !error && <Loading />}
      {all?.length === 0 && <p className="dim">Nothing of theirs was reported.</p>}
      <ul className="brief">
        {all?.map((one) => {
          const last = one.decisions.at(-1);
          return (
            <li key={one.id}>
              <a href={to(["cases", one.id], { status: one.status === "DECIDED" ? "DECIDED" : undefined })}>
                <Chip tone={one.status === "OPEN" ? "warn" : last?.verdict === "REMOVE" ? "bad" : "good"}>{one.status === "OPEN" ? "Open" : last ? verdicts[last.verdict] : "Gone"}</Chip>
                <span className="cut">{one.excerpt || kinds[one.kind]}</span>
                <span className="dim">{count(one.reportCount, "report")}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const deedsOf = (id: string) => ({ subject: id, limit: 10 });

/** What operators and moderators have done about this person. */
function Deeds({ id }: { id: string }) {
  const { data, error } = useRead(Audit, deedsOf(id));
  return (
    <Panel title="What was done" side={<a href={to(["audit"], { subject: id })}>In the audit log</a>}>
      <Problem error={error} />
      {!data && !error && <Loading />}
      {data?.audit.items.length === 0 && <p className="dim">Nothing yet.</p>}
      <ol className="timeline">
        {data?.audit.items.map((line) => (
          <li key={line.id}><p><b>{line.action}</b> <span className="dim"><When time={line.time} /></span></p>{line.note && <p className="quote">{line.note}</p>}</li>
        ))}
      </ol>
    </Panel>
  );
}
