import { type ComponentProps, useLayoutEffect, useRef } from "react";

import { Field } from "./forms.tsx";
import { Loading } from "./states.tsx";

/** Whether the code of a page is still read, and what was typed after `/` meanwhile. */
let reading = false;
let ahead: string | undefined;

/** Leads to the field of the page that finds. While the page is still read, what is typed is kept for the field. */
export function find(): void {
  const field = document.querySelector<HTMLInputElement>("[data-find] input");
  if (field) take(field);
  else if (reading) ahead = "";
}

function take(field: HTMLInputElement): void {
  field.focus();
  field.select();
}

addEventListener("keydown", (event) => {
  if (ahead === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") ahead = undefined;
  else if (event.key === "Backspace") ahead = ahead.slice(0, -1);
  else if (event.key.length === 1) ahead += event.key === "/" && ahead === "" ? "" : event.key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

/** Stands for a page whose code is still read. */
export function Reading() {
  useLayoutEffect(() => {
    reading = true;
    return () => {
      reading = false;
      queueMicrotask(() => { ahead = undefined; }); // a page without such a field has no use for it
    };
  }, []);
  return <Loading />;
}

/** The field to which `/` leads. */
export function Find(props: ComponentProps<typeof Field>) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { value, onChange } = props;
  useLayoutEffect(() => {
    if (ahead === undefined) return;
    take(input.current!);
    if (ahead) onChange(ahead);
    ahead = undefined;
  }, []);
  // The page may have put the focus here just before somebody asks for it.
  return (
    <div className="grow" data-find="" onKeyDown={(event) => { if (event.key === "/" && !value) event.preventDefault(); }}>
      <Field {...props} inputRef={input} />
    </div>
  );
}
