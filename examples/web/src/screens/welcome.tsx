import { type FormEvent, type ReactNode, useState } from "react";
import { isFailure } from "stoa-client";

import { graphql } from "../api.ts";
import { Icon } from "../icons.tsx";
import { client, explain, stoa } from "../server.ts";

// Likes are off until their user wants them.
const CreateProfile = graphql(`
  mutation CreateProfile($username: String!) {
    createCognitoOnlyUser(username: $username) { userId }
    setUserDetails(likesDisabled: false) { userId likesDisabled }
  }
`);

type Step = "sign up" | "sign in" | "confirm" | "reset";

/** The way in: an account by e-mail, and the code from the mail unless the server trusts the address. */
export function WelcomeScreen({ onSignedIn }: { onSignedIn: (userId: string) => void }) {
  const [step, setStep] = useState<Step>("sign up");
  const [account, setAccount] = useState({ email: "", password: "" });
  const [userId, setUserId] = useState("");
  const [code, setCode] = useState("");

  const signIn = async () => {
    try {
      onSignedIn(await stoa.session.signIn(account)); // a server of a developer trusts every address
    } catch (error) {
      if (!isFailure(error) || error.code !== "UNCONFIRMED") throw error;
      setUserId(error.details.userId!);
      setStep("confirm");
    }
  };
  const signUp = async () => {
    await stoa.session.signUp(account);
    await signIn();
  };
  const confirm = async () => {
    await stoa.session.confirm(userId, code.trim());
    await signIn();
  };
  const reset = async () => {
    await stoa.session.reset({ email: account.email }, code.trim(), account.password);
    await signIn();
  };

  const password = (
    <label>
      Password
      <input
        type="password" autoComplete={step === "sign in" ? "current-password" : "new-password"} required minLength={8} value={account.password}
        onChange={(event) => setAccount({ ...account, password: event.target.value })}
      />
    </label>
  );
  if (step === "confirm" || step === "reset") {
    const again = () => (step === "confirm" ? stoa.session.resend(userId) : stoa.session.forgot({ email: account.email }));
    return (
      <Gate action={step === "confirm" ? "Confirm" : "Set password"} onSubmit={step === "confirm" ? confirm : reset}>
        <p>We have sent a code to <strong>{account.email}</strong>.</p>
        <label>
          Code
          <input inputMode="numeric" autoComplete="one-time-code" required autoFocus value={code} onChange={(event) => setCode(event.target.value)} />
        </label>
        {step === "reset" && password}
        <button type="button" className="link" onClick={() => void again()}>Send it again</button>
      </Gate>
    );
  }
  const fresh = step === "sign up";
  const forget = async () => {
    await stoa.session.forgot({ email: account.email });
    setAccount({ ...account, password: "" });
    setStep("reset");
  };
  return (
    <Gate action={fresh ? "Sign up" : "Sign in"} onSubmit={fresh ? signUp : signIn}>
      <label>
        E-mail
        <input type="email" autoComplete="email" required value={account.email} onChange={(event) => setAccount({ ...account, email: event.target.value })} />
      </label>
      {password}
      <button type="button" className="link" onClick={() => setStep(fresh ? "sign in" : "sign up")}>
        {fresh ? "I have an account" : "I am new here"}
      </button>
      {!fresh && account.email && <button type="button" className="link" onClick={() => void forget()}>I forgot my password</button>}
    </Gate>
  );
}

/** Asks a new user for a name. */
export function NameScreen({ onNamed }: { onNamed: () => void }) {
  const [username, setUsername] = useState("");
  const create = async () => {
    const { error } = await client.mutation(CreateProfile, { username }).toPromise();
    if (error) throw error;
    onNamed();
  };
  return (
    <Gate action="Begin" onSubmit={create}>
      <p>How shall people find you?</p>
      <label>Username<input autoComplete="username" required autoFocus value={username} onChange={(event) => setUsername(event.target.value)} /></label>
    </Gate>
  );
}

function Gate({ action, onSubmit, children }: { action: string; onSubmit: () => Promise<void>; children: ReactNode }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    await onSubmit().catch((error) => setProblem(explain(error)));
    setBusy(false);
  };
  return (
    <main className="gate">
      <title>Portico</title>
      <header><Icon name="portico" /><h1>Portico</h1><p>A place to meet.</p></header>
      <form onSubmit={submit}>
        {children}
        {problem && <p role="alert" className="problem">{problem}</p>}
        <button className="primary" disabled={busy}>{action}</button>
      </form>
    </main>
  );
}
