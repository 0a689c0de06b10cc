import type { KeyboardEvent } from "react";

import type { CaseLine, Me } from "../operations.ts";
import { Checkbox } from "../ui/forms.tsx";
import { Chip, Face, useNow, When } from "../ui/marks.tsx";
import { count, fate, kinds, nameOf, verdicts } from "../words.ts";

interface Props {
  line: CaseLine;
  me: Me;
  href: string;
  current: boolean;
  /** Whether Tab reaches it: arrows, j and k lead to the others. */
  reachable: boolean;
  fresh: boolean;
  chosen?: boolean;
  toggle?: () => void;
  move: (step: number) => void;
}

/** A case in the queue. */
export function Line({ line, me, href, current, reachable, fresh, chosen, toggle, move }: Props) {
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step);
  };
  const decision = line.decisions.at(-1);
  return (
    <li className={fresh ? "line fresh" : "line"}>
      {toggle && <Checkbox hidden value={chosen ?? false} onChange={toggle}>{`Choose the case of ${nameOf(line.author)}`}</Checkbox>}
      <a href={href} aria-current={current ? "true" : undefined} tabIndex={reachable ? 0 : -1} onKeyDown={press}>
        <span className="top">
          <Face person={line.author} />
          <b>{nameOf(line.author)}</b>
          <span className="dim">{kinds[line.kind]}{me.systems.length > 1 && ` · ${line.system}`}</span>
          <span className="dim end"><When time={line.openedAt} /></span>
        </span>
        <span className="middle">
          <span className="excerpt">{line.excerpt || <i className="dim">{fate(line)}</i>}</span>
          {line.media[0] && <img src={line.media[0]} alt="" loading="lazy" />}
        </span>
        <span className="bottom">
          <Chip tone={line.reportCount > 4 ? "bad" : "plain"}>{line.reportCount ? count(line.reportCount, "report") : "No reports"}</Chip>
          {line.appeal && line.status === "OPEN" && <Chip tone="info">Appeal</Chip>}
          {line.status === "DECIDED" && decision && <Chip tone={decision.verdict === "KEEP" ? "good" : "bad"}>{verdicts[decision.verdict]}</Chip>}
          {line.removedBy && line.status === "OPEN" && <Chip tone="warn">{fate(line)}</Chip>}
          {line.status === "OPEN" && line.dueAt && <Due time={line.dueAt} />}
          <Claim line={line} me={me} />
        </span>
      </a>
    </li>
  );
}

/** When a case should be decided. */
export function Due({ time }: { time: string }) {
  const late = useNow() > Date.parse(time);
  return <Chip tone={late ? "bad" : "plain"}>Due <When time={time} /></Chip>;
}

/** Who has a case, if anybody has. */
export function Claim({ line, me }: { line: CaseLine; me: Me }) {
  const now = useNow();
  if (!line.claimedBy || !line.claimedUntil || Date.parse(line.claimedUntil) < now) return null;
  return <Chip tone="info">{line.claimedBy.id === me.userId ? "You have it" : `${nameOf(line.claimedBy)} has it`}</Chip>;
}
