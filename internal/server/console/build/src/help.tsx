import { Dialog } from "./ui/dialog.tsx";

const caseKeys: [string, string][] = [
  ["j k", "next and previous case"], ["a", "keep what was reported"], ["r", "remove it"], ["n", "write a note"], ["c", "claim the case"],
  ["x", "choose for a decision about several"], ["/", "find"], ["Esc", "leave a field or a dialog"],
];

/** What the keys do. */
export default function Help({ onClose, places }: { onClose: () => void; places: { key: string; title: string }[] }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {[...caseKeys, ...places.map(({ key, title }) => [key, title] as [string, string])].map(([keys, text]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

