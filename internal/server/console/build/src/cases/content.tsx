import type { CaseLine, CaseWhole } from "../operations.ts";
import { Face, PersonLink, When } from "../ui/marks.tsx";
import { checked, fate, kinds } from "../words.ts";

/** The content as people see it, within its thread. */
export function Content({ seen, context }: { seen: CaseLine; context: CaseWhole["context"] }) {
  return (
    <div className="thread">
      {context.map((item) => (
        <section key={item.itemId} className="item before" aria-label={`${kinds[item.kind]} before it`}>
          <header><Face person={item.author} /><PersonLink person={item.author} /><span className="dim"><When time={item.when} /></span></header>
          <Words text={item.excerpt} />
          <Pictures media={item.media} of={`the ${kinds[item.kind].toLowerCase()} before it`} />
        </section>
      ))}
      <section className={seen.visible ? "item reported" : "item reported gone"} aria-label="What was reported">
        <header><Face person={seen.author} /><PersonLink person={seen.author} /></header>
        {seen.excerpt ? <Words text={seen.excerpt} /> : seen.media.length === 0 && <p className="dim">{seen.removedBy === "AUTHOR" ? "Its author has deleted it." : seen.kind === "PERSON" ? "The person as a whole was reported." : fate(seen)}</p>}
        <Pictures media={seen.media} of="the reported content" />
        {seen.check && <p className="dim">{checked(seen.check)}.</p>}
      </section>
    </div>
  );
}

/** Text is shown as it was written, never as markup. */
function Words({ text }: { text: string }) {
  return text ? <p className="words" dir="auto">{text}</p> : null;
}

function Pictures({ media, of }: { media: readonly string[]; of: string }) {
  if (media.length === 0) return null;
  return (
    <div className="pictures">
      {media.map((url, i) => <img key={url.split("?")[0]} src={url} alt={`Picture ${i + 1} of ${of}`} />)}
    </div>
  );
}
