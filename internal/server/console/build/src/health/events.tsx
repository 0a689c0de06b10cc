import { useState } from "react";

import { members } from "../members.ts";
import { type Health, Redeliver } from "../operations.ts";
import { ask } from "../server.ts";
import { Button } from "../ui/forms.tsx";
import { When } from "../ui/marks.tsx";
import { Problem, say } from "../ui/states.tsx";
import { Panel, Table } from "../ui/table.tsx";

/** Events that wait for their delivery, and those that were given up. */
export function EventsPart({ health, changed }: { health: Health; changed: () => void }) {
  const [failed, setFailed] = useState<unknown>();
  const [busy, setBusy] = useState<string>();
  const redeliver = async (event: string) => {
    setBusy(event);
    setFailed(undefined);
    try {
      const { redeliver: begun } = await ask(Redeliver, { event });
      say(begun ? "The event is being delivered." : "Another process is already delivering it.");
      changed();
    } catch (reason) {
      setFailed(reason);
    } finally {
      setBusy(undefined);
    }
  };
  const possible = members.has("Mutation.redeliver");
  return (
    <>
      <Problem error={failed} />
      {health.deadEvents && (
        <Panel title="Given up">
          <Table
            label="Events that were given up" rows={health.deadEvents} id={(one) => one.id} empty="None: every event is delivered or still waiting."
            columns={[
              { title: "Event", kind: "wide", cell: (one) => <><b>{one.name}</b><span className="failure">{one.error}</span></> },
              { title: "About", cell: (one) => <code>{one.about}</code> },
              { title: "Since", cell: (one) => <When time={one.at} /> },
              { title: "Deliver", kind: "action", cell: (one) => possible && <Button look="quiet" busy={busy === one.id} label={`Deliver ${one.name} again`} onPress={() => void redeliver(one.id)}>Deliver</Button> },
            ]}
          />
        </Panel>
      )}
      <Panel title="Waiting">
        <Table
          label="Events that wait" rows={health.undelivered} id={(one) => one.id} empty="Nothing waits."
          columns={[
            { title: "Event", kind: "wide", cell: (one) => <><b>{one.name}</b>{one.lastError && <span className="failure">{one.lastError}</span>}</> },
            { title: "About", cell: (one) => <code>{one.about}</code> },
            { title: "Tries", kind: "number", cell: (one) => one.attempts ?? "" },
            { title: "Since", cell: (one) => <When time={one.at} /> },
            { title: "Deliver", kind: "action", cell: (one) => possible && <Button look="quiet" busy={busy === one.id} label={`Deliver ${one.name} now`} onPress={() => void redeliver(one.id)}>Deliver</Button> },
          ]}
        />
      </Panel>
    </>
  );
}
