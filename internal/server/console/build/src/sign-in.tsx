import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { isFailure } from "stoa-client";

import { sentenceOf, stoa, useToken } from "./server.ts";
import { Button, Field } from "./ui/forms.tsx";
import { Logo } from "./ui/marks.tsx";

/** A page of its own, before the console. */
export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="sheet">
      <section className="stack">
        <p className="brand"><Logo /><span className="wordmark">stoa</span></p>
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}

export function SignIn({ onDone, why }: { onDone: () => Promise<void>; why?: string }) {
  const [external, setExternal] = useState(false);
  useEffect(() => {
    // Without the built-in identity service, tokens come from elsewhere.
    void fetch("/.well-known/jwks.json", { method: "HEAD" }).then(({ status }) => setExternal(status === 404), () => {});
  }, []);
  return external ? <WithToken onDone={onDone} /> : <WithPassword onDone={onDone} {...(why && { why })} />;
}

function WithPassword({ onDone, why }: { onDone: () => Promise<void>; why?: string }) {
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const name = login.includes("@") ? "email" : login.includes(":") ? "userId" : login.startsWith("+") ? "phone" : "username";
  return (
    <Entry title="Sign in" action="Sign in" onDone={onDone} submit={() => stoa.session.signIn({ [name]: login.trim(), password })} {...(why && { why })}>
      <Field label="Username, e-mail or user id" value={login} onChange={setLogin} required focus autoComplete="username" />
      <Field label="Password" type="password" value={password} onChange={setPassword} required autoComplete="current-password" />
    </Entry>
  );
}

function WithToken({ onDone }: { onDone: () => Promise<void> }) {
  const [token, setToken] = useState("");
  return (
    <Entry title="Enter with a token" action="Enter" onDone={onDone} submit={async () => useToken(token.trim().replace(/^Bearer /, ""))}>
      <Field label="Access token" type="password" value={token} onChange={setToken} required focus hint="From your identity provider. It stays in this page and is lost on reload." />
    </Entry>
  );
}

interface EntryProps {
  title: string;
  action: string;
  submit: () => Promise<unknown>;
  onDone: () => Promise<void>;
  why?: string;
  children: ReactNode;
}

function Entry({ title, action, submit, onDone, why, children }: EntryProps) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await submit();
      await onDone();
    } catch (error) {
      setProblem(isFailure(error) && error.code === "UNAUTHENTICATED" ? "No account has this name and password. Check both, then try again." : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Sheet title={title}>
      <p className="dim">{why ?? "For operators and moderators of this service."}</p>
      <form onSubmit={(event) => void send(event)} className="stack">
        {children}
        {problem && <p className="notice bad" role="alert">{problem}</p>}
        <Button type="submit" look="primary" busy={busy}>{action}</Button>
      </form>
    </Sheet>
  );
}
