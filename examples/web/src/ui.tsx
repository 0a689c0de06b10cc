import { type ReactNode, useEffect, useRef, useState } from "react";

import { act } from "./act.ts";
import { type Face, Follow, Unfollow } from "./api.ts";
import { Icon } from "./icons.tsx";
import { useMe } from "./me.ts";
import { go, Link } from "./router.tsx";
import { explain } from "./server.ts";

/** The head of a screen, which also names the page. */
export function Head({ title, back, children }: { title: string; back?: boolean; children?: ReactNode }) {
  return (
    <header className="head">
      <title>{`${title} · Portico`}</title>
      {back && <button className="round" aria-label="Back" onClick={() => (history.length > 1 ? history.back() : go("/"))}><Icon name="back" /></button>}
      <h1>{title}</h1>
      <div className="tools">{children}</div>
    </header>
  );
}

export function Avatar({ of, small }: { of: Pick<Face, "userId" | "username" | "photo">; small?: boolean }) {
  const hue = [...of.userId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const source = small ? of.photo?.url64p : of.photo?.url480p;
  return (
    <span className={small ? "avatar small" : "avatar"} style={{ background: `hsl(${hue} 45% 38%)` }} aria-hidden="true">
      {of.username[0]?.toUpperCase()}
      {source && <img src={source} alt="" onError={(event) => event.currentTarget.remove()} />}
    </span>
  );
}

/** A person in a list, with what can be done about them. */
export function Person({ of, children }: { of: Face; children?: ReactNode }) {
  return (
    <li className="person">
      <Link to={`/user/${of.userId}`} className="who">
        <Avatar of={of} />
        <span><strong>{of.fullName || of.username}</strong><small>@{of.username}</small></span>
      </Link>
      {children ?? <FollowButton of={of} />}
    </li>
  );
}

const followLabels = { NOT_FOLLOWING: "Follow", FOLLOWING: "Following", REQUESTED: "Requested", DENIED: "Requested", SELF: "" } as const;

export function FollowButton({ of }: { of: Pick<Face, "userId" | "username" | "followedStatus"> }) {
  const me = useMe();
  const [busy, setBusy] = useState(false);
  if (of.userId === me.userId) return null;
  const follows = of.followedStatus !== "NOT_FOLLOWING";
  return (
    <button
      className={follows ? "quiet" : "primary"}
      disabled={busy || of.followedStatus === "DENIED"}
      aria-label={`${followLabels[of.followedStatus]} ${of.username}`}
      onClick={async () => {
        setBusy(true);
        await (follows ? act(Unfollow, { userId: of.userId }) : act(Follow, { userId: of.userId }));
        setBusy(false);
      }}
    >
      {followLabels[of.followedStatus]}
    </button>
  );
}

/** A button that opens a list of actions. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute("open");
  useEffect(() => {
    const outside = (event: MouseEvent) => details.current?.contains(event.target as Node) || close();
    document.addEventListener("click", outside);
    return () => document.removeEventListener("click", outside);
  }, []);
  return (
    <details className="menu" ref={details} onKeyDown={(event) => event.key === "Escape" && close()}>
      <summary className="round" aria-label={label}><Icon name="more" /></summary>
      <div className="choices" onClick={close}>{children}</div>
    </details>
  );
}

export function Busy() {
  return <div className="busy" role="status"><span className="hidden">Loading</span></div>;
}

/** What a list shows instead of its items: that it is being read, that it failed, or that it is empty. */
export function Instead({ fetching, error, empty, children }: { fetching: boolean; error?: unknown; empty: boolean; children: ReactNode }) {
  if (!empty) return null;
  if (error) return <p className="empty">{explain(error)}</p>;
  return fetching ? <Busy /> : <div className="empty">{children}</div>;
}

/** Shows the rest of a list once the reader gets there. */
export function More({ children }: { children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!button.current) return;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && setOpen(true), { rootMargin: "600px" });
    near.observe(button.current);
    return () => near.disconnect();
  }, [open]);
  return open ? children() : <button className="more quiet" ref={button} onClick={() => setOpen(true)}>Show more</button>;
}

const spans: [number, string][] = [[60, "s"], [60, "min"], [24, "h"], [7, "d"]];

/** A time, as one says it: 5 min ago. */
export function Ago({ at }: { at: string }) {
  let span = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  let text = "";
  for (const [size, unit] of spans) {
    if (span < size) {
      text = unit === "s" ? "now" : `${Math.floor(span)} ${unit}`;
      break;
    }
    span /= size;
  }
  const exact = new Date(at);
  return <time dateTime={at} title={exact.toLocaleString()}>{text || exact.toLocaleDateString(undefined, { day: "numeric", month: "short" })}</time>;
}

/** A text with links to the people it mentions. */
export function Text({ text, tags }: { text: string; tags: { tag: string; user: { userId: string } }[] }) {
  const users = new Map(tags.map(({ tag, user }) => [tag, user.userId]));
  return text.split(/(@[\w.]+)/).map((part, index) => {
    const userId = users.get(part);
    return userId ? <Link key={index} to={`/user/${userId}`}>{part}</Link> : part;
  });
}
