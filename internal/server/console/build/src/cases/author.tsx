import { Cases, type CaseWhole, type PersonLine } from "../operations.ts";
import { useRead } from "../read.ts";
import { to } from "../route.ts";
import { Chip, Face, PersonLink, When } from "../ui/marks.tsx";
import { at, count, kinds, nameOf, verdicts } from "../words.ts";

type Author = PersonLine & Partial<NonNullable<CaseWhole["author"]>>;

/** Who wrote it, and what was decided about them before. */
export function AuthorPanel({ author, caseId }: { author: Author | null; caseId: string }) {
  return (
    <section className="panel" aria-label="Author">
      <header><h2>Author</h2>{author && <a href={to(["cases"], { author: author.id, status: "DECIDED" })}>All cases</a>}</header>
      {!author && <p className="dim">The author’s account is gone.</p>}
      {author && (
        <>
          <div className="person">
            <Face person={author} large />
            <div>
              <p><PersonLink person={author} /> <Standing person={author} /></p>
              <p className="dim">{author.username && `@${author.username} · `}{author.createdAt ? <>here since <time title={at(author.createdAt)}>{author.createdAt.slice(0, 10)}</time></> : author.systems.join(", ")}</p>
            </div>
          </div>
          {author.counts && (
            <ul className="counts">
              <li><b>{author.counts.content}</b> items</li>
              <li><b>{author.counts.removals}</b> removed</li>
              <li><b>{author.counts.reportsAgainst}</b> reports against</li>
              <li><b>{author.counts.reportsBy}</b> reports by</li>
            </ul>
          )}
          {author.suspension && <p className="notice warn">Suspended{author.suspension.until ? ` until ${at(author.suspension.until)}` : ""}: {author.suspension.reason}</p>}
          {author.notes?.map((note) => <p key={note.when} className="quote">{note.text} <span className="dim">{nameOf(note.who)}, <When time={note.when} /></span></p>)}
          <History author={author.id} caseId={caseId} />
        </>
      )}
    </section>
  );
}

/** The role of a person, and their status unless it is the usual one. */
export function Standing({ person }: { person: Pick<PersonLine, "role" | "status"> }) {
  return (
    <>
      {person.role && <Chip tone="info">{person.role === "OPERATOR" ? "Operator" : "Moderator"}</Chip>}
      {person.status && person.status !== "ACTIVE" && <Chip tone="warn">{person.status.toLowerCase()}</Chip>}
    </>
  );
}

function History({ author, caseId }: { author: string; caseId: string }) {
  const { data } = useRead(Cases, { author, status: "DECIDED", limit: 6 });
  const others = data?.cases.items.filter(({ id }) => id !== caseId).slice(0, 5);
  if (!others) return null;
  if (others.length === 0) return <p className="dim small">No earlier cases.</p>;
  return (
    <>
      <h3>Earlier cases</h3>
      <ul className="brief">
        {others.map((one) => {
          const last = one.decisions.at(-1);
          return (
            <li key={one.id}>
              <a href={to(["cases", one.id], { status: "DECIDED" })}>
                <Chip tone={last?.verdict === "REMOVE" ? "bad" : last ? "good" : "plain"}>{last ? verdicts[last.verdict] : "Gone"}</Chip>
                <span className="cut">{one.excerpt || kinds[one.kind]}</span>
                <span className="dim">{count(one.reportCount, "report")}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}
