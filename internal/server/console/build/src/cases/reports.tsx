import { useState } from "react";

import { type CaseWhole, Reports } from "../operations.ts";
import { ask } from "../server.ts";
import { Button } from "../ui/forms.tsx";
import { Face, PersonLink, When } from "../ui/marks.tsx";
import { Problem } from "../ui/states.tsx";

/** Who reported it, when and why. */
export function ReportsPanel({ whole }: { whole: CaseWhole }) {
  const [later, setLater] = useState<CaseWhole["reports"]>();
  const [error, setError] = useState<unknown>();
  const all = [...whole.reports.items, ...(later?.items ?? [])];
  const next = later ? later.nextToken : whole.reports.nextToken;
  const more = () => ask(Reports, { id: whole.id, nextToken: next }).then(
    (data) => data.case && setLater({ items: [...(later?.items ?? []), ...data.case.reports.items], nextToken: data.case.reports.nextToken }), setError,
  );
  return (
    <section className="panel" aria-label="Reports">
      <header><h2>Reports</h2><span className="dim">{whole.reportCount}</span></header>
      {all.length === 0 && <p className="dim">Nobody reported it: a program opened this case, or the reports have gone with their authors.</p>}
      <ul className="reports">
        {all.map((report, i) => (
          <li key={report.who?.id ?? i}>
            <Face person={report.who} />
            <div>
              <p><PersonLink person={report.who} /> <span className="dim"><When time={report.when} /></span></p>
              {report.why ? <p className="words" dir="auto">{report.why}</p> : <p className="dim small">Gave no reason</p>}
            </div>
          </li>
        ))}
      </ul>
      <Problem error={error} />
      {next && <Button look="quiet" onPress={() => void more()}>Show more</Button>}
    </section>
  );
}
