import { members } from "../members.ts";
import { to, useRoute } from "../route.ts";
import { Missing } from "../ui/states.tsx";
import { RulesPart } from "./rules.tsx";
import { StatisticsPart } from "./statistics.tsx";
import { TemplatesPart } from "./templates.tsx";

const parts = [
  { id: "", title: "Statistics", needs: "Query.statistics" },
  { id: "answers", title: "Saved answers", needs: "Query.templates" },
  { id: "rules", title: "Rules", needs: "Query.rules" },
];

/** What those who decide share: how they do, what they answer, and by which rules they decide. */
export default function TeamPage() {
  const { path: [, part = ""] } = useRoute();
  const shown = parts.find(({ id }) => id === part) ?? parts[0]!;
  return (
    <div className="solo">
      <header className="subject">
        <h1>Team</h1>
        <nav className="switch" aria-label="Parts of Team">
          {parts.map(({ id, title }) => <a key={id} href={to(["team", id])} aria-current={id === shown.id ? "page" : undefined}>{title}</a>)}
        </nav>
      </header>
      {!members.has(shown.needs) ? <Missing what={shown.title.toLowerCase()} /> : (
        <>
          {shown.id === "" && <StatisticsPart />}
          {shown.id === "answers" && <TemplatesPart />}
          {shown.id === "rules" && <RulesPart />}
        </>
      )}
    </div>
  );
}
