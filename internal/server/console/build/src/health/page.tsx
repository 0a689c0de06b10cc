import { Figures, Health } from "../operations.ts";
import { members } from "../members.ts";
import { useRead } from "../read.ts";
import { to, useRoute } from "../route.ts";
import { When } from "../ui/marks.tsx";
import { Loading, Missing, Problem } from "../ui/states.tsx";
import { Facts, Panel, Reading, Table } from "../ui/table.tsx";
import { at, bytes, count, lasting } from "../words.ts";
import { BackupsPart } from "./backups.tsx";
import { Charts } from "./charts.tsx";
import { CheckPart } from "./check.tsx";
import { EventsPart } from "./events.tsx";
import { JobsPart } from "./jobs.tsx";

const parts = [
  { id: "", title: "Overview", needs: "" },
  { id: "jobs", title: "Jobs", needs: "" },
  { id: "backups", title: "Backups", needs: "Query.backups" },
  { id: "check", title: "Check", needs: "Query.checks" },
  { id: "events", title: "Events", needs: "" },
];

/** How the service is, and what can be done about it. */
export default function HealthPage() {
  const { path: [, part = ""] } = useRoute();
  const { data, error, mutate } = useRead(Health, {}, { refreshInterval: 5000 });
  const health = data?.health;
  const dead = health?.deadEvents?.length ?? 0;
  return (
    <div className="solo">
      <header className="subject">
        <h1>Health</h1>
        <nav className="switch" aria-label="Parts of Health">
          {parts.map(({ id, title }) => (
            <a key={id} href={to(["health", id])} aria-current={id === part ? "page" : undefined}>{title}{id === "events" && dead > 0 && <b className="badge">{dead}<span className="hidden"> given up</span></b>}</a>
          ))}
        </nav>
      </header>
      <Problem error={error} retry={() => void mutate()} />
      {health?.problem && <p className="notice bad" role="alert"><b>Not ready:</b> {health.problem}</p>}
      {parts.some(({ id, needs }) => id === part && needs && !members.has(needs)) ? <Missing what={part} /> : (
        <>
          {part === "" && (health ? <Overview health={health} /> : !error && <Loading lines={6} />)}
          {part === "jobs" && <JobsPart />}
          {part === "backups" && <BackupsPart />}
          {part === "check" && <CheckPart />}
          {part === "events" && (health ? <EventsPart health={health} changed={() => void mutate()} /> : <Loading />)}
        </>
      )}
    </div>
  );
}

function Overview({ health }: { health: Health }) {
  const { data } = useRead(Figures, {}, { refreshInterval: 30_000 });
  const used = health.disk && 1 - health.disk.free / health.disk.total;
  return (
    <>
      <dl className="numbers">
        <Reading title="Up for" value={lasting(health.uptime)} hint={`since ${at(health.startedAt)}`} />
        <Reading title="Operations" value={rate(health.operationsPerMinute)} hint="a minute" />
        <Reading title="Errors" value={rate(health.errorsPerMinute)} hint="a minute" bad={(health.errorsPerMinute ?? 0) > (health.operationsPerMinute ?? 0) / 100} />
        <Reading title="Sockets" value={health.sockets.toLocaleString("en")} hint={count(health.subscriptions, "subscription")} />
        <Reading title="Memory" value={bytes(health.memory)} hint="in use" />
        <Reading title="Disk" value={health.disk ? bytes(health.disk.free) : undefined} hint={health.disk ? `free, ${Math.round(used! * 100)} % used` : ""} bad={(used ?? 0) > 0.9} />
        <Reading title="Event lag" value={health.eventLag === undefined ? undefined : lasting(Math.round(health.eventLag))} hint={`${health.undelivered.length} waiting`} bad={(health.eventLag ?? 0) > 60} />
        <Reading title="Newest backup" value={health.newestBackup === undefined ? undefined : health.newestBackup ? <When time={health.newestBackup} /> : "None"} hint="" bad={health.newestBackup === null} />
      </dl>
      {data && data.figures.length > 1 && <Charts figures={data.figures} />}
      {data && data.figures.length < 2 && <p className="none">Charts appear when the server has run for two minutes.</p>}
      <div className="panels">
        <Panel title="This process">
          <Facts facts={[["Version", health.version], ["Store", health.store], ["Started", at(health.startedAt)], ["Ready", health.problem ?? "Yes"]]} />
        </Panel>
        {health.mail && (
          <Panel title="Mail">
            <Facts facts={[
              ["Waiting", health.mail.waiting], ["Sent today", health.mail.sentToday], ["Failed today", health.mail.failedToday], ["Last error", health.mail.lastError],
            ]} />
          </Panel>
        )}
        {health.processes && (
          <Panel title="Processes">
            <Table
              label="Processes" rows={health.processes} id={(one) => one.id} empty="Only this one."
              columns={[
                { title: "Process", kind: "wide", cell: (one) => <code>{one.id}</code> },
                { title: "Version", cell: (one) => one.version },
                { title: "Seen", cell: (one) => <When time={one.seenAt} /> },
                { title: "Clock", kind: "number", cell: (one) => `${one.clockDifference > 0 ? "+" : ""}${one.clockDifference.toFixed(2)} s` },
              ]}
            />
          </Panel>
        )}
      </div>
    </>
  );
}

function rate(n: number | undefined): string | undefined {
  return n === undefined ? undefined : n.toLocaleString("en", { maximumFractionDigits: n < 10 ? 1 : 0 });
}
