import { lazy, Suspense, useState } from "react";

import type { CaseLine, Verdict } from "../operations.ts";
import { Button } from "../ui/forms.tsx";
import { count } from "../words.ts";

const Confirm = lazy(() => import("./confirm.tsx"));

/** Decides several cases at once, each with an outcome of its own. */
export function Many({ lines, clear, decided }: { lines: CaseLine[]; clear: () => void; decided: (line: CaseLine) => void }) {
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <div className="many" role="group" aria-label="Chosen cases">
      <span>{count(lines.length, "case")} chosen</span>
      <Button look="quiet" onPress={clear}>None</Button>
      <Button look="quiet" onPress={() => setVerdict("KEEP")}>Keep</Button>
      <Button look="bad" onPress={() => setVerdict("REMOVE")}>Remove</Button>
      {verdict && <Suspense><Confirm lines={lines} verdict={verdict} decided={decided} onClose={() => setVerdict(undefined)} clear={clear} /></Suspense>}
    </div>
  );
}
