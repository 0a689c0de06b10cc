import { useEffect, useState } from "react";

import { members } from "../members.ts";
import { type Me, People, type PersonLine } from "../operations.ts";
import { usePages } from "../read.ts";
import { go, to, useRoute } from "../route.ts";
import { Standing } from "../cases/author.tsx";
import { Find } from "../ui/find.tsx";
import { Button } from "../ui/forms.tsx";
import { Face } from "../ui/marks.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { nameOf, short } from "../words.ts";
import { PersonView } from "./person.tsx";

/** How long somebody has stopped typing before people are looked for. */
const pause = 250;

/** Finds people, and shows one of them. */
export default function PeoplePage({ me }: { me: Me }) {
  const { path: [, id], query } = useRoute();
  const find = query.find ?? "";
  const [text, setText] = useState(find);
  useEffect(() => {
    if (text.trim() === find) return undefined;
    const timer = setTimeout(() => go(to(["people"], { find: text.trim() }), true), pause);
    return () => clearTimeout(timer);
  }, [text, find]);
  const searchable = members.has("Query.people");
  const { items, error, more, reading, mutate } = usePages(People, find ? { find, limit: 30 } : null, ({ people }) => people);
  const found = searchable ? items : find ? [lineOf(find)] : undefined;
  return (
    <div className={id ? "split chosen" : "split"}>
      <section className="list" aria-label="Find people">
        <header className="filters">
          <h1 className="hidden">People</h1>
          <Find label="Find people" hidden type="search" placeholder="Name, user id, e-mail or phone ( / )" value={text} onChange={setText} focus={!id} />
        </header>
        <Problem error={error} retry={() => void mutate()} />
        {!find && (
          <Empty title="Whom are you looking for?">
            {searchable ? "Enter the beginning of a username, words of a full name, a whole e-mail address or phone number, or a user id." : "Enter a user id."}
          </Empty>
        )}
        {find && !found && !error && <Loading />}
        {found?.length === 0 && <Empty title="Nobody is called that">Addresses and phone numbers must be whole; usernames may be cut short.</Empty>}
        <ul className="lines">
          {found?.map((person) => (
            <li key={person.id} className="line">
              <a href={to(["people", person.id], query)} aria-current={person.id === id ? "true" : undefined}>
                <span className="top">
                  <Face person={person} />
                  <b>{nameOf(person)}</b>
                  {person.username && person.fullName && <span className="dim">@{person.username}</span>}
                  <Standing person={person} />
                </span>
                <span className="dim small">{person.systems.join(", ") || short(person.id)}</span>
              </a>
            </li>
          ))}
        </ul>
        {more && <div className="more"><Button look="quiet" onPress={more} busy={reading}>Show more</Button></div>}
      </section>
      <section className="detail" aria-label="Person">
        {id ? <PersonView key={id} id={id} me={me} back={to(["people"], query)} /> : <Empty title="No person is chosen">Names everywhere in the console lead here.</Empty>}
      </section>
    </div>
  );
}

/** Stands for a person whom the server cannot look up. */
export function lineOf(id: string): PersonLine {
  return { id, username: null, fullName: null, status: null, role: null, systems: [], createdAt: null };
}
