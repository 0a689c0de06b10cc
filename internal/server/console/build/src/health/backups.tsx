import { useState } from "react";

import { Backups, StartBackup } from "../operations.ts";
import { useRead } from "../read.ts";
import { ask } from "../server.ts";
import { Button } from "../ui/forms.tsx";
import { Chip, When } from "../ui/marks.tsx";
import { Loading, Problem, say } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { bytes } from "../words.ts";

/** Backups of the store. */
export function BackupsPart() {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const { data, error, mutate } = useRead(Backups, {}, { refreshInterval: 2000 });
  const start = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      await ask(StartBackup, {});
      say("The backup has started.");
      await mutate();
    } catch (reason) {
      setFailed(reason);
    } finally {
      setBusy(false);
    }
  };
  const running = data?.backups.some(({ endedAt, failure }) => !endedAt && !failure);
  return (
    <>
      <div className="toolbar"><Button look="primary" busy={busy} isDisabled={running ?? false} onPress={() => void start()}>Back up now</Button></div>
      <Problem error={failed ?? error} retry={() => void mutate()} />
      {!data && !error && <Loading />}
      {data && (
        <Table
          label="Backups" rows={data.backups} id={(one) => one.id} empty="There is no backup yet."
          columns={[
            { title: "Place", kind: "wide", cell: (one) => <><code>{one.place}</code>{one.failure && <span className="failure">{one.failure}</span>}</> },
            { title: "Started", cell: (one) => <When time={one.startedAt} /> },
            { title: "Items", kind: "number", cell: (one) => one.items.toLocaleString("en") },
            { title: "Size", kind: "number", cell: (one) => bytes(one.bytes) },
            { title: "State", cell: (one) => (one.failure ? <Chip tone="bad">Failed</Chip> : one.endedAt ? <Chip tone="good">Done</Chip> : <Chip tone="info">Running</Chip>) },
          ]}
        />
      )}
    </>
  );
}
