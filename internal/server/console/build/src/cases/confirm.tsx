import { useState } from "react";

import { useKept } from "../kept.ts";
import { type CaseLine, DecideCases, type Verdict } from "../operations.ts";
import { ask } from "../server.ts";
import { FormDialog } from "../ui/dialog.tsx";
import { Field } from "../ui/forms.tsx";
import { say } from "../ui/states.tsx";
import { count, nameOf } from "../words.ts";
import { RuleSelect } from "./rule.tsx";

interface ConfirmProps {
  lines: CaseLine[];
  verdict: Verdict;
  decided: (line: CaseLine) => void;
  onClose: () => void;
  clear: () => void;
}

/** Asks for a rule and a note before several cases are decided. */
export default function Confirm({ lines, verdict, decided, onClose, clear }: ConfirmProps) {
  const [note, setNote] = useKept("many.note", "");
  const [rule, setRule] = useState("");
  const submit = async () => {
    const { decideCases } = await ask(DecideCases, { cases: lines.map(({ id, revision }) => ({ id, revision })), verdict, note: note || null, rule: rule || null });
    setNote("");
    const failed = decideCases.filter(({ error }) => error);
    for (const outcome of decideCases) if (outcome.case) decided(outcome.case);
    say(failed.length === 0 ? `${count(lines.length, "case")} decided.` : `${failed.length} of ${lines.length} were not decided: ${failed[0]!.error}`);
    clear();
  };
  return (
    <FormDialog title={`${verdict === "KEEP" ? "Keep" : "Remove"} ${count(lines.length, "item")}`} action={verdict === "KEEP" ? "Keep all" : "Remove all"} look={verdict === "KEEP" ? "primary" : "bad"} submit={submit} onClose={onClose}>
      <ul className="brief">{lines.map((line) => <li key={line.id}><b>{nameOf(line.author)}</b> <span className="dim">{line.excerpt}</span></li>)}</ul>
      {verdict === "REMOVE" && <RuleSelect value={rule} onChange={setRule} />}
      <Field label="Note" value={note} onChange={setNote} lines={2} maxLength={1000} />
    </FormDialog>
  );
}
