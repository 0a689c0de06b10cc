import { lazy, Suspense, useState } from "react";

import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { type CaseWhole, ReplyToAppeal } from "../operations.ts";
import { ask } from "../server.ts";
import { Button, Field } from "../ui/forms.tsx";
import { When } from "../ui/marks.tsx";
import { Problem, say } from "../ui/states.tsx";
import { nameOf } from "../words.ts";

const AnswerSelect = lazy(() => import("../team/choose.tsx"));

/** What the author says against a decision, and the answers. */
export function AppealPanel({ whole, put }: { whole: CaseWhole; put: (next: CaseWhole) => void }) {
  const [text, setText] = useKept(`reply.${whole.id}`, "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { appeal } = whole;
  if (!appeal) return null;
  const send = async () => {
    setBusy(true);
    setError(undefined);
    try {
      put((await ask(ReplyToAppeal, { id: whole.id, text })).replyToAppeal);
      setText("");
      say("The author is told.");
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="panel appeal" aria-label="Appeal">
      <header><h2>Appeal</h2>{appeal.decidedBy && <span className="dim">against a decision by {nameOf(appeal.decidedBy)}</span>}</header>
      <ol className="talk">
        <li><p className="words" dir="auto">{appeal.text}</p><p className="dim small">{nameOf(whole.author)}, <When time={appeal.when} /></p></li>
        {appeal.messages.map((message) => (
          <li key={message.when} className={message.fromAuthor ? "" : "ours"}>
            <p className="words" dir="auto">{message.text}</p>
            <p className="dim small">{message.fromAuthor ? nameOf(whole.author) : "Moderators"}, <When time={message.when} /></p>
          </li>
        ))}
      </ol>
      {members.has("Mutation.replyToAppeal") && whole.status === "OPEN" && (
        <div className="controls">
          <Field label="Answer to the author" hidden placeholder="Answer to the author" value={text} onChange={setText} lines={2} maxLength={2000} className="grow" />
          <Suspense><AnswerSelect text={text} onChange={setText} limit={2000} /></Suspense>
          <Button look="quiet" busy={busy} isDisabled={!text} onPress={() => void send()}>Send</Button>
        </div>
      )}
      <Problem error={error} />
    </section>
  );
}
