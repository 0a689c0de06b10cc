import { useState } from "react";

import { type JobLine, Jobs, RunJob } from "../operations.ts";
import { useRead } from "../read.ts";
import { ask } from "../server.ts";
import { Button } from "../ui/forms.tsx";
import { Chip, When } from "../ui/marks.tsx";
import { Loading, Problem, say } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { lasting } from "../words.ts";

/** The periodic jobs, which can be run at once and watched. */
export function JobsPart() {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<unknown>();
  const { data, error, mutate } = useRead(Jobs, {}, { refreshInterval: running.size ? 1000 : 10_000 });
  const run = async (name: string) => {
    setRunning((all) => new Set(all).add(name));
    setFailed(undefined);
    try {
      const { runJob } = await ask(RunJob, { name });
      if (runJob.failure) say(`${name} failed: ${runJob.failure}`);
      else say(runJob.endedAt ? `${name} has run.` : `${name} is still running.`);
    } catch (reason) {
      setFailed(reason);
    } finally {
      setRunning((all) => new Set([...all].filter((one) => one !== name)));
      void mutate();
    }
  };
  return (
    <>
      <Problem error={error ?? failed} retry={() => void mutate()} />
      {!data && !error && <Loading lines={6} />}
      {data && (
        <Table
          label="Jobs" rows={data.jobs} id={(job) => job.name} empty="There are no jobs."
          columns={[
            { title: "Job", kind: "wide", cell: (job) => <><b>{job.name}</b>{job.failure && <span className="failure">{job.failure}</span>}</> },
            { title: "Schedule", cell: (job) => job.schedule },
            { title: "Last run", cell: (job) => (job.startedAt ? <When time={job.startedAt} /> : <span className="dim">Never</span>) },
            { title: "Took", kind: "number", cell: (job) => duration(job) },
            { title: "State", cell: (job) => <State job={job} running={running.has(job.name)} /> },
            { title: "Run", kind: "action", cell: (job) => <Button look="quiet" busy={running.has(job.name)} label={`Run ${job.name}`} onPress={() => void run(job.name)}>Run</Button> },
          ]}
        />
      )}
    </>
  );
}

function duration({ startedAt, endedAt }: JobLine): string {
  if (!startedAt || !endedAt) return "";
  const milliseconds = Date.parse(endedAt) - Date.parse(startedAt);
  return milliseconds < 1000 ? `${Math.max(milliseconds, 0)} ms` : lasting(Math.round(milliseconds / 1000));
}

function State({ job, running }: { job: JobLine; running: boolean }) {
  if (running || job.heldBy) return <Chip tone="info">Running</Chip>;
  if (job.failure) return <Chip tone="bad">Failed</Chip>;
  if (!job.startedAt) return <Chip>Waiting</Chip>;
  return job.endedAt ? <Chip tone="good">Done</Chip> : <Chip tone="warn">Was cut off</Chip>;
}
