import { useEffect, useRef, useState } from "react";
import { isFailure } from "stoa-client";

import { useKept } from "../kept.ts";
import { members } from "../members.ts";
import { CaseById, type CaseLine, type CaseWhole, ClaimCase, DecideCase, type Me, type Verdict } from "../operations.ts";
import { useRead } from "../read.ts";
import { to } from "../route.ts";
import { ask } from "../server.ts";
import { Button, Field } from "../ui/forms.tsx";
import { useKeys } from "../ui/keys.ts";
import { Chip, Icon, Key, PersonLink, useNow, When } from "../ui/marks.tsx";
import { Empty, Loading, Problem, say } from "../ui/states.tsx";
import { at, count, fate, kinds, nameOf, verdicts } from "../words.ts";
import { AppealPanel } from "./appeal.tsx";
import type { Arrivals } from "./arrivals.ts";
import { AuthorPanel } from "./author.tsx";
import { Content } from "./content.tsx";
import { Claim, Due } from "./line.tsx";
import { ReportsPanel } from "./reports.tsx";
import { RuleSelect } from "./rule.tsx";

/** A claim lasts fifteen minutes and is renewed by whoever keeps looking. */
const renewal = 5 * 60_000;

/** A key decides once a case has been shown this long, so that one pressed twice does not decide the next case unseen. */
const glance = 300;

interface Props {
  id: string;
  /** What the queue knows of it meanwhile. */
  line: CaseLine | undefined;
  me: Me;
  back: string;
  arrivals: Arrivals;
  decided: (line: CaseLine) => void;
  changed: (line: CaseLine) => unknown;
}

/** A case: what was reported, by whom, about whom, and what is to become of it. */
export function CaseView({ id, line, me, back, arrivals, decided, changed }: Props) {
  const { data, error, mutate } = useRead(CaseById, { id }, { refreshInterval: 20_000 });
  const whole = data?.case ?? undefined;
  const seen = whole ?? line;

  useEffect(() => arrivals.follow({
    changed: (other) => other.id === id && void mutate(),
    missed: () => void mutate(),
  }), [arrivals.follow, id, mutate]);

  const put = (next: CaseWhole) => {
    void mutate({ case: next }); // and reads again: what others did while the answer was under way may have been heard before it
    changed(next);
  };
  const mine = whole?.claimedBy?.id === me.userId;
  const claim = () => void ask(ClaimCase, { id }).then(({ claimCase }) => put(claimCase), () => mutate());
  const claimable = members.has("Mutation.claimCase");
  useEffect(() => {
    if (!mine) return undefined;
    const timer = setInterval(claim, renewal);
    return () => clearInterval(timer);
  }, [mine, id]);
  useKeys({ c: () => claimable && whole?.status === "OPEN" && claim() });

  if (data && !whole) return <Empty title="There is no such case"><a href={back}>Back to the queue</a></Empty>;
  if (!seen) return <><Problem error={error} retry={() => void mutate()} />{!error && <Loading lines={5} />}</>;
  return (
    <article className="case" aria-label={`${kinds[seen.kind]} of ${nameOf(seen.author)}`}>
      <header className="heading">
        <a className="button quiet back" href={back} aria-label="Back to the queue"><Icon shape="back" /></a>
        <div>
          <h2>{kinds[seen.kind]} of {nameOf(seen.author)}</h2>
          <p className="dim">{seen.system} · {count(seen.reportCount, "report")} · opened <When time={seen.openedAt} /></p>
        </div>
        <div className="chips">
          {seen.status === "OPEN" && seen.dueAt && <Due time={seen.dueAt} />}
          <Claim line={seen} me={me} />
          {claimable && whole?.status === "OPEN" && !mine && <Button look="quiet" onPress={claim} keys="c">Claim <Key>c</Key></Button>}
          <Chip tone={seen.visible ? "good" : "warn"}>{fate(seen)}</Chip>
        </div>
      </header>
      <div className="columns">
        <div className="main">
          <Problem error={error} retry={() => void mutate()} />
          <Content seen={seen} context={whole?.context ?? []} />
          {whole?.appeal && <AppealPanel whole={whole} put={put} />}
        </div>
        <aside aria-label="About this case">
          <AuthorPanel author={whole?.author ?? seen.author} caseId={id} />
          {whole && <ReportsPanel whole={whole} />}
          {seen.decisions.length > 0 && <Decisions seen={seen} {...(whole?.rule && { rule: whole.rule.title })} />}
        </aside>
      </div>
      <Decide seen={seen} me={me} reload={() => mutate()} done={(next, verdict) => {
        put(next);
        decided(next);
        say(`${verdicts[verdict]}: ${kinds[next.kind].toLowerCase()} of ${nameOf(next.author)}.`, { text: "Look again", href: to(["cases", id], { status: "DECIDED" }) });
      }} />
    </article>
  );
}

function Decisions({ seen, rule }: { seen: CaseLine; rule?: string }) {
  return (
    <section className="panel" aria-label="Decisions">
      <header><h2>Decisions</h2></header>
      <ol className="timeline">
        {seen.decisions.map((one, i) => (
          <li key={one.when} className={one.verdict === "KEEP" ? "good" : "bad"}>
            <p><b>{verdicts[one.verdict]}</b> by <PersonLink person={one.who} /> <span className="dim"><When time={one.when} /></span></p>
            {rule && i === seen.decisions.length - 1 && <p className="dim">Rule: {rule}</p>}
            {one.note && <p className="quote">{one.note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface DecideProps {
  seen: CaseLine;
  me: Me;
  reload: () => Promise<unknown>;
  done: (next: CaseWhole, verdict: Verdict) => void;
}

/** The end of a case. One that was decided, here or elsewhere, is decided again only on purpose. */
function Decide({ seen, me, reload, done }: DecideProps) {
  const [note, setNote] = useKept(`note.${seen.id}`, "");
  const [rule, setRule] = useKept(`rule.${seen.id}`, "");
  const [busy, setBusy] = useState<Verdict>();
  const [error, setError] = useState<unknown>();
  const [reopened, setReopened] = useState<number>();
  const [missed, setMissed] = useState<{ verdict: Verdict; revision: number }>();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const seenAt = useRef(seen.revision);
  const now = useNow();
  const decision = seen.decisions.at(-1);
  const changedMeanwhile = seen.revision !== seenAt.current;
  const closed = (seen.status === "DECIDED" || changedMeanwhile || Boolean(missed)) && reopened !== seen.revision;
  // Whether what is shown is newer than what a refused decision was about.
  const fresh = missed?.revision !== seen.revision;
  const own = seen.appeal && decision && seen.appeal.when > decision.when && seen.appeal.decidedBy?.id === me.userId;
  const other = seen.claimedBy && seen.claimedBy.id !== me.userId && seen.claimedUntil && Date.parse(seen.claimedUntil) > now ? seen.claimedBy : undefined;

  const decide = async (verdict: Verdict) => {
    if (busy || closed) return;
    setBusy(verdict);
    setError(undefined);
    try {
      const { decideCase } = await ask(DecideCase, { id: seen.id, revision: seen.revision, verdict, note: note || null, rule: (verdict === "REMOVE" && rule) || null });
      setNote("");
      setRule("");
      seenAt.current = decideCase.revision;
      done(decideCase, verdict);
    } catch (reason) {
      if (isFailure(reason) && reason.code === "CONFLICT") {
        setMissed({ verdict, revision: seen.revision });
        await reload().catch(() => {});
      } else {
        setError(reason);
      }
    } finally {
      setBusy(undefined);
    }
  };
  const shownAt = useRef(performance.now());
  const byKey = (verdict: Verdict) => () => performance.now() - shownAt.current > glance && void decide(verdict);
  useKeys({ a: byKey("KEEP"), r: byKey("REMOVE"), n: () => field.current?.focus() });

  if (closed) {
    return (
      <footer className="decide closed">
        <div className={missed || changedMeanwhile ? "notice warn" : "notice"} role={missed || changedMeanwhile ? "alert" : undefined}>
          <p>
            {missed && <>Your decision was not recorded, because the case has changed. </>}
            {seen.status === "DECIDED" && decision
              ? <><b>{verdicts[decision.verdict]}</b> by {decision.who?.id === me.userId ? "you" : nameOf(decision.who)} <time title={at(decision.when)}><When time={decision.when} /></time>{decision.note && <>: “{decision.note}”</>}.</>
              : fresh ? <>It has been reopened: look at it again.</> : <>Loading what has changed.</>}
          </p>
          <Button look="quiet" isDisabled={!fresh} onPress={() => { setReopened(seen.revision); setMissed(undefined); }}>Decide again</Button>
        </div>
      </footer>
    );
  }
  return (
    <footer className="decide">
      {own && <p className="notice info">The appeal is against your decision. Leave it to somebody else, if anybody else can decide.</p>}
      {other && <p className="notice info">{nameOf(other)} has claimed this case. Leave it to them, or decide it all the same.</p>}
      <Problem error={error} />
      <div className="controls">
        <Field label="Note" hidden placeholder="Note for colleagues (n)" value={note} onChange={setNote} inputRef={field} maxLength={1000} className="grow" />
        <RuleSelect value={rule} onChange={setRule} hidden />
        <Button look="primary" busy={busy === "KEEP"} onPress={() => void decide("KEEP")} keys="a"><Icon shape="keep" />Keep <Key>a</Key></Button>
        <Button look="bad" busy={busy === "REMOVE"} onPress={() => void decide("REMOVE")} keys="r"><Icon shape="remove" />Remove <Key>r</Key></Button>
      </div>
    </footer>
  );
}
