import { Settings } from "./operations.ts";
import { useKept } from "./kept.ts";
import { useRead } from "./read.ts";
import { Find } from "./ui/find.tsx";
import { Checkbox } from "./ui/forms.tsx";
import { Chip } from "./ui/marks.tsx";
import { Loading, Problem } from "./ui/states.tsx";
import { Table } from "./ui/table.tsx";

/** The settings in force. They are changed where they come from, never here. */
export default function SettingsPage() {
  const [text, setText] = useKept("settings.find", "");
  const [given, setGiven] = useKept("settings.given", false);
  const { data, error, mutate } = useRead(Settings, {});
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = data?.settings.filter(({ name, value, meaning, source }) => {
    const all = `${name} ${value} ${meaning}`.toLowerCase();
    return words.every((word) => all.includes(word)) && (!given || source !== "default");
  });
  return (
    <div className="solo">
      <header className="subject">
        <h1>Settings</h1>
        <div className="controls">
          <Find label="Find a setting" hidden type="search" placeholder="Find a setting ( / )" value={text} onChange={setText} />
          <Checkbox value={given} onChange={setGiven}>Only those given</Checkbox>
        </div>
      </header>
      <Problem error={error} retry={() => void mutate()} />
      {!data && !error && <Loading lines={8} />}
      {rows && (
        <Table
          label="Settings" rows={rows} id={({ name }) => name} empty="No setting matches."
          columns={[
            { title: "Setting", cell: ({ name }) => <code>{name}</code> },
            { title: "Value", cell: ({ value }) => (value ? <code className="value">{value}</code> : <span className="dim">–</span>) },
            { title: "From", cell: ({ source }) => <Chip tone={source === "default" ? "plain" : "info"}>{source}</Chip> },
            { title: "Meaning", kind: "wide", cell: ({ meaning }) => <span className="dim">{meaning}</span> },
          ]}
        />
      )}
    </div>
  );
}
