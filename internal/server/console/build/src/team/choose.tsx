import { useState } from "react";

import { Templates } from "../operations.ts";
import { useRead } from "../read.ts";
import { Select } from "../ui/forms.tsx";

/** Adds a saved answer to a text, if there are any. */
export default function AnswerSelect({ text, onChange, limit }: { text: string; onChange: (text: string) => void; limit: number }) {
  const { data } = useRead(Templates, {}, { revalidateOnFocus: false });
  const [chosen, setChosen] = useState("");
  if (!data?.templates.length) return null;
  const add = (id: string) => {
    setChosen(id);
    const one = data.templates.find((template) => template.id === id);
    if (one) onChange((text.trim() ? `${text.trimEnd()}\n\n${one.text}` : one.text).slice(0, limit));
  };
  return (
    <Select
      label="Saved answer" hidden value={text ? chosen : ""} onChange={add}
      options={[{ id: "", text: "Saved answer" }, ...data.templates.map(({ id, title }) => ({ id, text: title }))]}
    />
  );
}
