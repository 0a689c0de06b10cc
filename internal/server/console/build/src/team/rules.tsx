import { Rules } from "../operations.ts";
import { useRead } from "../read.ts";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Panel } from "../ui/table.tsx";

/** The house rules, as everybody can read them. */
export function RulesPart() {
  const { data, error, mutate } = useRead(Rules, {});
  return (
    <>
      <Problem error={error} retry={() => void mutate()} />
      {!data && !error && <Loading />}
      {data?.rules.length === 0 && <Empty title="There are no rules">The setting <code>rules-file</code> names a file with them. A decision can then say which one was broken.</Empty>}
      {data && data.rules.length > 0 && <p className="lead dim">Everybody can read them at <a href="/rules">/rules</a>. A decision to remove can name one.</p>}
      <div className="panels">
        {data?.rules.map((rule) => <Panel key={rule.id} title={rule.title} side={<code className="dim">{rule.id}</code>}><p className="words">{rule.text}</p></Panel>)}
      </div>
    </>
  );
}
