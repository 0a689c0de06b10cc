import { useEffect, useState } from "react";
import { ProgressBar } from "react-aria-components";

import { type CheckLine, CheckProgressed, Checks, StartCheck } from "../operations.ts";
import { useRead } from "../read.ts";
import { ask, listen } from "../server.ts";
import { Button, Checkbox } from "../ui/forms.tsx";
import { Chip, When } from "../ui/marks.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { count } from "../words.ts";

/** Checks the store while it is used, and shows what is found as it is found. */
export function CheckPart() {
  const [repair, setRepair] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const { data, error, mutate } = useRead(Checks, {}, { refreshInterval: 10_000 });
  const put = (check: CheckLine) => void mutate((all) => ({ checks: [check, ...(all?.checks ?? []).filter(({ id }) => id !== check.id)] }), { revalidate: false });
  useEffect(() => listen(CheckProgressed, ({ checkProgressed }) => put(checkProgressed), () => mutate()), [mutate]);
  const start = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      put((await ask(StartCheck, { repair })).startCheck);
    } catch (reason) {
      setFailed(reason);
    } finally {
      setBusy(false);
    }
  };
  const running = data?.checks.some(({ endedAt, failure }) => !endedAt && !failure);
  return (
    <>
      <div className="toolbar">
        <Button look="primary" busy={busy} isDisabled={running ?? false} onPress={() => void start()}>Check the store</Button>
        <Checkbox value={repair} onChange={setRepair}>Repair what is wrong</Checkbox>
      </div>
      <Problem error={failed ?? error} retry={() => void mutate()} />
      {!data && !error && <Loading />}
      {data?.checks.length === 0 && <p className="none">This process has checked nothing yet. A check reads every item while the service goes on.</p>}
      {data?.checks.map((check) => <Result key={check.id} check={check} />)}
    </>
  );
}

function Result({ check }: { check: CheckLine }) {
  const running = !check.endedAt && !check.failure;
  return (
    <section className="panel check" aria-label="A check">
      <header>
        <h2><When time={check.startedAt} /></h2>
        {running ? <Chip tone="info">Running</Chip> : check.failure ? <Chip tone="bad">Failed</Chip> : check.findings.length ? <Chip tone="warn">{count(check.findings.length, "finding")}</Chip> : <Chip tone="good">Clean</Chip>}
        <span className="dim">{check.items.toLocaleString("en")} of {check.total.toLocaleString("en")} items{check.repaired > 0 && `, ${check.repaired} repaired`}</span>
      </header>
      {running && (
        <ProgressBar className="progress" aria-label="Progress" value={check.items} maxValue={Math.max(check.total, 1)}>
          {({ percentage }) => <i style={{ width: `${percentage ?? 0}%` }} />}
        </ProgressBar>
      )}
      {check.failure && <p className="notice bad">{check.failure}</p>}
      {check.findings.length > 0 && (
        <Table
          label="Findings" rows={check.findings} id={(one) => `${one.table} ${one.key} ${one.text}`} empty="None."
          columns={[
            { title: "Table", cell: (one) => one.table },
            { title: "Key", cell: (one) => <code>{one.key}</code> },
            { title: "What is wrong", kind: "wide", cell: (one) => one.text },
            { title: "State", cell: (one) => (one.repaired ? <Chip tone="good">Repaired</Chip> : <Chip tone="warn">Open</Chip>) },
          ]}
        />
      )}
    </section>
  );
}
