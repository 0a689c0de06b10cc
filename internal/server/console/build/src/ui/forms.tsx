import { type ReactNode, type Ref, useId } from "react";
import { Button as AriaButton, Checkbox as AriaCheckbox, Input, Label, Text, TextArea, TextField } from "react-aria-components";

import { Icon } from "./marks.tsx";

interface ButtonProps {
  children: ReactNode;
  onPress?: () => void;
  look?: "primary" | "quiet" | "bad" | "plain";
  type?: "button" | "submit";
  busy?: boolean;
  isDisabled?: boolean;
  label?: string;
  keys?: string;
  className?: string;
}

export function Button({ children, onPress, look = "plain", type = "button", busy = false, isDisabled = false, label, keys, className = "" }: ButtonProps) {
  return (
    <AriaButton
      className={`button ${look} ${className} ${busy ? "busy" : ""}`} type={type} isDisabled={isDisabled} onPress={() => busy || onPress?.()}
      {...(label && { "aria-label": label })} {...(keys && { "aria-keyshortcuts": keys })}
    >
      {children}
    </AriaButton>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "password" | "search" | "date" | "datetime-local";
  hint?: ReactNode;
  lines?: number;
  required?: boolean;
  hidden?: boolean;
  placeholder?: string;
  focus?: boolean;
  autoComplete?: string;
  maxLength?: number;
  /** The latest date. */
  max?: string;
  className?: string;
  inputRef?: Ref<HTMLInputElement & HTMLTextAreaElement>;
  mono?: boolean;
}

/** A text field. Its label is always there for screen readers. */
export function Field(p: FieldProps) {
  const shared = { placeholder: p.placeholder ?? "", ...(p.inputRef && { ref: p.inputRef }), className: p.mono ? "input mono" : "input" };
  const native = p.type === "date" || p.type === "datetime-local";
  return (
    <TextField
      className={`field ${p.className ?? ""}`} value={p.value} onChange={p.onChange} type={native ? "text" : (p.type as "text") ?? "text"} isRequired={p.required ?? false}
      autoFocus={p.focus ?? false} autoComplete={p.autoComplete ?? "off"} spellCheck="false" {...(p.maxLength && { maxLength: p.maxLength })}
    >
      <Label className={p.hidden ? "hidden" : "label"}>{p.label}</Label>
      {p.lines ? <TextArea {...shared} rows={p.lines} /> : <Input {...shared} {...(native && { type: p.type })} {...(p.max && { max: p.max })} />}
      {p.hint && <Text slot="description" className="hint">{p.hint}</Text>}
    </TextField>
  );
}

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: { id: string; text: string; hint?: string }[];
  hidden?: boolean;
}

/** The browser's own list of options, which is best on phones. The hint of the chosen one is shown below it. */
export function Select({ label, value, onChange, options, hidden }: SelectProps) {
  const id = useId();
  const hint = options.find((option) => option.id === value)?.hint;
  return (
    <div className="field select">
      <label htmlFor={id} className={hidden ? "hidden" : "label"}>{label}</label>
      <span className="input">
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)} {...(hint && !hidden && { "aria-describedby": `${id}-hint` })}>
          {options.map((option) => <option key={option.id} value={option.id}>{option.text}</option>)}
        </select>
        <Icon shape="down" />
      </span>
      {hint && !hidden && <span id={`${id}-hint`} className="hint">{hint}</span>}
    </div>
  );
}

export function Checkbox({ children, value, onChange, hidden }: { children: string; value: boolean; onChange: (value: boolean) => void; hidden?: boolean }) {
  return (
    <AriaCheckbox className="checkbox" isSelected={value} onChange={onChange} {...(hidden && { "aria-label": children })}>
      <span className="box"><Icon shape="check" /></span>
      {!hidden && children}
    </AriaCheckbox>
  );
}
