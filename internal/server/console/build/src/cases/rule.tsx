import { Rules } from "../operations.ts";
import { useRead } from "../read.ts";
import { Select } from "../ui/forms.tsx";

/** Chooses one of the house rules, if there are any. */
export function RuleSelect({ value, onChange, hidden }: { value: string; onChange: (value: string) => void; hidden?: boolean }) {
  const { data } = useRead(Rules, {}, { revalidateOnFocus: false });
  if (!data?.rules.length) return null;
  return (
    <Select
      label="Rule" value={value} onChange={onChange} hidden={hidden ?? false}
      options={[{ id: "", text: "No rule" }, ...data.rules.map(({ id, title, text }) => ({ id, text: title, hint: text }))]}
    />
  );
}
