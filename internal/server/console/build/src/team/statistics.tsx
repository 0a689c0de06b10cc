import { type ReactNode, useEffect, useState } from "react";

import { members } from "../members.ts";
import { type ContentKind, type FiguresOf, PersonName, Reporters, Rules, Statistics } from "../operations.ts";
import { useRead } from "../read.ts";
import { go, to, useRoute } from "../route.ts";
import { Button, Field, Select } from "../ui/forms.tsx";
import { PersonLink } from "../ui/marks.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Panel, Reading, Table } from "../ui/table.tsx";
import { count, kinds, lasting } from "../words.ts";

const day = 86_400_000;
const lengths = ["7", "30", "90", "365"];
const periods = [...lengths.map((id) => ({ id, text: `Last ${id} days` })), { id: "own", text: "From and to" }];
const sources: Record<string, string> = { PEOPLE: "Reports of people", WORDS: "Words", PROGRAM: "A program" };

const isDate = (text: string | undefined) => /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(text!));
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Figures about the cases of a period, which is whole days in UTC and part of the address. */
export function StatisticsPart() {
  const { query } = useRoute();
  const today = dateOf(Date.now());
  const own = isDate(query.from) && isDate(query.to);
  const days = own ? "own" : lengths.find((length) => length === query.days) ?? "30";
  const from = own ? query.from! : dateOf(Date.parse(today) - (Number(days) - 1) * day);
  const last = own ? query.to! : today;
  const period: Period = { from: `${from}T00:00:00Z`, to: new Date(Date.parse(last) + day).toISOString() };
  const { data, error, mutate } = useRead(Statistics, period);
  const choose = (id: string) => go(to(["team"], id === "own" ? { from, to: last } : { days: id }), true);
  const all = data?.statistics;
  return (
    <>
      <div className="toolbar period">
        <Select label="Period" hidden value={days} onChange={choose} options={periods} />
        {days === "own" && <Own key={`${from} ${last}`} from={from} last={last} today={today} />}
        <span className="dim">{from} to {last}, in UTC</span>
        {all && <Download text={all.csv} name={`cases-${from}-${last}.csv`} />}
      </div>
      <Problem error={error} retry={() => void mutate()} />
      {!all && !error && <Loading lines={6} />}
      {all && (
        <>
          <dl className="numbers" aria-label="All cases">
            <Reading title="Opened" value={all.total.opened.toLocaleString("en")} hint={all.total.opened === 1 ? "case" : "cases"} />
            <Reading title="Decided" value={all.total.decided.toLocaleString("en")} hint={all.total.decided === 1 ? "time" : "times"} />
            <Reading title="Removed" value={share(all.total.removed, all.total.decided)} hint={count(all.total.removed, "decision")} />
            <Reading title="Overturned" value={share(all.total.overturned, all.total.appealed)} hint={`of ${count(all.total.appealed, "appeal")}`} />
            <Reading title="Median time" value={time(all.total.medianTime)} hint="to a decision" />
            <Reading title="95 of 100" value={time(all.total.p95Time)} hint="took at most this" />
          </dl>
          <div className="figures">
            <Group title="By kind" rows={all.byKind} name={({ name }) => kinds[name as ContentKind] ?? name} />
            <Group title="By source" rows={all.bySource} name={({ name }) => sources[name] ?? name} />
            <Group title="By rule" rows={all.byRule} name={({ name }) => <RuleName id={name} />} opened={false} />
            <Group title="By moderator" rows={all.byModerator} name={({ name }) => <Name id={name} />} opened={false} />
            {members.offers(Reporters) && <ReportersPanel key={`${from} ${last}`} period={period} />}
          </div>
        </>
      )}
    </>
  );
}

function Own({ from, last, today }: { from: string; last: string; today: string }) {
  const [begin, setBegin] = useState(from);
  const [end, setEnd] = useState(last);
  return (
    <form className="controls" onSubmit={(event) => { event.preventDefault(); go(to(["team"], { from: begin, to: end }), true); }}>
      <Field label="From" hidden type="date" value={begin} onChange={setBegin} max={end || today} required />
      <Field label="To" hidden type="date" value={end} onChange={setEnd} max={today} required />
      <Button type="submit" look="quiet">Show</Button>
    </form>
  );
}

/** Saves a text as a file. */
function Download({ text, name }: { text: string; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return <a className="button quiet" href={url} download={name}>Download as CSV</a>;
}

interface GroupProps {
  title: string;
  rows: readonly FiguresOf[];
  name: (row: FiguresOf) => ReactNode;
  /** Rules and moderators have decisions alone. */
  opened?: boolean;
}

function Group({ title, rows, name, opened = true }: GroupProps) {
  const most = Math.max(1, ...rows.map(({ decided }) => decided));
  return (
    <Panel title={title}>
      <Table
        label={title} rows={rows} id={(row) => row.name} empty="Nothing in this period."
        columns={[
          { title: "Which", cell: (row) => <b>{name(row)}</b> },
          { title: "Decisions", kind: "wide", cell: ({ decided, removed }) => <Share good={[decided - removed, "kept"]} bad={[removed, "removed"]} most={most} /> },
          ...(opened ? [{ title: "Opened", kind: "number" as const, cell: (row: FiguresOf) => row.opened.toLocaleString("en") }] : []),
          { title: "Appeals", kind: "number", cell: (row) => row.appealed.toLocaleString("en") },
          { title: "Overturned", kind: "number", cell: (row) => row.overturned.toLocaleString("en") },
          { title: "Median", kind: "number", cell: (row) => time(row.medianTime) },
          { title: "95 of 100", kind: "number", cell: (row) => time(row.p95Time) },
        ]}
      />
    </Panel>
  );
}

interface Period {
  from: string;
  to: string;
}

/** Those who reported, a few at a time: each has a name that is read by itself. */
function ReportersPanel({ period }: { period: Period }) {
  const [shown, setShown] = useState(20);
  const { data, error, mutate } = useRead(Reporters, period, { revalidateOnFocus: false });
  const rows = data?.statistics.byReporter;
  const most = Math.max(1, ...(rows ?? []).map(({ decided }) => decided));
  return (
    <Panel title="By reporter">
      <Problem error={error} retry={() => void mutate()} />
      {!rows && !error && <Loading lines={3} />}
      {rows && (
        <Table
          label="By reporter" rows={rows.slice(0, shown)} id={({ userId }) => userId} empty="No report was decided in this period."
          columns={[
            { title: "Who", cell: ({ userId }) => <b><Name id={userId} /></b> },
            { title: "Decisions", kind: "wide", cell: (row) => <Share good={[row.decided - row.overturned, "upheld"]} bad={[row.overturned, "overturned"]} most={most} /> },
            { title: "Reports", kind: "number", cell: ({ decided }) => decided.toLocaleString("en") },
            { title: "Overturned", kind: "number", cell: ({ decided, overturned }) => share(overturned, decided) },
          ]}
        />
      )}
      {rows && rows.length > shown && <div className="more"><Button look="quiet" onPress={() => setShown(shown + 20)}>Show more</Button></div>}
    </Panel>
  );
}

interface ShareProps {
  good: [n: number, what: string];
  bad: [n: number, what: string];
  most: number;
}

/** How many decisions were of either kind, as a bar beside those of the others, and in words. */
function Share({ good, bad, most }: ShareProps) {
  const part = ([n]: [number, string]) => ({ width: `${(100 * n) / most}%` });
  const text = ([n, what]: [number, string]) => `${n.toLocaleString("en")} ${what}`;
  return (
    <div className="share">
      <div aria-hidden="true"><i className="good" style={part(good)} /><i className="bad" style={part(bad)} /></div>
      <span className="small dim">{text(good)}, {text(bad)}</span>
    </div>
  );
}

function RuleName({ id }: { id: string }) {
  const { data } = useRead(Rules, {}, { revalidateOnFocus: false });
  return <>{id ? data?.rules.find((rule) => rule.id === id)?.title ?? id : "No rule"}</>;
}

/** A person, or a user of the machine. */
function Name({ id }: { id: string }) {
  const { data } = useRead(PersonName, id.startsWith("command:") ? null : { id }, { revalidateOnFocus: false });
  return data?.person ? <PersonLink person={data.person} /> : <code>{id}</code>;
}

function share(part: number, whole: number): string {
  return whole ? `${Math.round((100 * part) / whole)} %` : "–";
}

function time(seconds: number | null): string {
  return seconds === null ? "–" : lasting(Math.round(seconds));
}
