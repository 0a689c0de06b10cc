import { useState } from "react";

import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { RemoveTemplate, SaveTemplate, type Template, Templates } from "../operations.ts";
import { useRead } from "../read.ts";
import { ask } from "../server.ts";
import { FormDialog } from "../ui/dialog.tsx";
import { Button, Field } from "../ui/forms.tsx";
import { Empty, Loading, Problem, say } from "../ui/states.tsx";
import { Panel } from "../ui/table.tsx";

const blank: Template = { id: "", title: "", text: "" };

/** The answers that the team has saved: to read, write, change and remove. */
export function TemplatesPart() {
  const { data, error, mutate } = useRead(Templates, {});
  const [edited, setEdited] = useState<Template>();
  const [removed, setRemoved] = useState<Template>();
  const changeable = members.has("Mutation.saveTemplate");
  return (
    <>
      {changeable && (
        <div className="toolbar">
          <Button look="primary" onPress={() => setEdited(blank)}>New answer</Button>
          <span className="dim">Shared by the whole team, for replies to appeals and reasons of suspensions.</span>
        </div>
      )}
      <Problem error={error} retry={() => void mutate()} />
      {!data && !error && <Loading />}
      {data?.templates.length === 0 && <Empty title="No answer is saved yet">Save what you write again and again.</Empty>}
      <div className="panels">
        {data?.templates.map((one) => (
          <Panel key={one.id} title={one.title}>
            <p className="words" dir="auto">{one.text}</p>
            {changeable && (
              <div className="actions">
                <Button look="quiet" label={`Change ${one.title}`} onPress={() => setEdited(one)}>Change</Button>
                <Button look="bad" label={`Remove ${one.title}`} onPress={() => setRemoved(one)}>Remove</Button>
              </div>
            )}
          </Panel>
        ))}
      </div>
      {edited && <Edit template={edited} saved={() => void mutate()} onClose={() => setEdited(undefined)} />}
      {removed && (
        <FormDialog title={`Remove “${removed.title}”`} action="Remove" look="bad" onClose={() => setRemoved(undefined)} submit={async () => {
          await ask(RemoveTemplate, { id: removed.id });
          await mutate();
          say(`“${removed.title}” is removed.`);
        }}>
          <p>It is gone for the whole team. What was answered with it stays.</p>
        </FormDialog>
      )}
    </>
  );
}

function Edit({ template: { id, ...was }, saved, onClose }: { template: Template; saved: () => void; onClose: () => void }) {
  const [title, setTitle] = useKept(`template.${id}.title`, was.title);
  const [text, setText] = useKept(`template.${id}.text`, was.text);
  const submit = async () => {
    await ask(SaveTemplate, { id: id || null, title: title.trim(), text });
    setTitle(was.title);
    setText(was.text);
    saved();
    say(`“${title.trim()}” is saved.`);
  };
  return (
    <FormDialog title={id ? `Change “${was.title}”` : "New answer"} action="Save" ready={Boolean(title.trim() && text.trim())} submit={submit} onClose={onClose}>
      <Field label="Title" value={title} onChange={setTitle} focus required maxLength={100} hint="Colleagues choose it by this." />
      <Field label="Text" value={text} onChange={setText} lines={6} required maxLength={2000} />
    </FormDialog>
  );
}
