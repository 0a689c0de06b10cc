import { useDeferredValue, useState } from "react";
import { useQuery } from "urql";

import { Face, graphql } from "../api.ts";
import { useMe } from "../me.ts";
import { Head, Instead, Person } from "../ui.tsx";

const Search = graphql(`query Search($text: String!) { searchUsers(searchToken: $text, limit: 30) { items { ...Face } } }`, [Face]);
const Trending = graphql(`query Trending { trendingUsers(limit: 30) { items { ...Face } } }`, [Face]);

export function PeopleScreen() {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim());
  const [{ data, error, fetching }] = useQuery({ query: Search, variables: { text }, pause: !text });
  const found = data?.searchUsers.items ?? [];
  return (
    <main>
      <Head title="People" />
      <div className="pad">
        <input type="search" placeholder="Name or username" aria-label="Search people" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </div>
      {text ? (
        <>
          <ul className="list">{found.map((person) => <Person key={person.userId} of={person} />)}</ul>
          <Instead fetching={fetching} error={error} empty={!found.length}><p>Nobody is called “{text}”.</p></Instead>
        </>
      ) : (
        <Suggestions many />
      )}
    </main>
  );
}

/** People whose posts are viewed a lot. */
export function Suggestions({ many }: { many?: boolean }) {
  const me = useMe();
  const [{ data }] = useQuery({ query: Trending });
  const people = (data?.trendingUsers.items ?? []).filter((person) => person.userId !== me.userId).slice(0, many ? 30 : 5);
  if (!people.length) return null;
  return (
    <section className="suggestions">
      <h2>Popular now</h2>
      <ul className="list">{people.map((person) => <Person key={person.userId} of={person} />)}</ul>
    </section>
  );
}
