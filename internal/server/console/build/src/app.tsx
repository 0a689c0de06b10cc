import { useCallback, useEffect, useState } from "react";
import { mutate } from "swr";

import { forget } from "./kept.ts";
import { members } from "./members.ts";
import { Me } from "./operations.ts";
import { lacksRole, onEnded, sentenceOf, stoa } from "./server.ts";
import { Shell } from "./shell.tsx";
import { SignIn, Sheet } from "./sign-in.tsx";
import { Button } from "./ui/forms.tsx";

type State = { at: "start" } | { at: "signed out"; why?: string } | { at: "refused" } | { at: "failed"; why: string } | { at: "in"; me: Me };

const question = "{ me { userId role systems } }";

/** Who has signed in, and what they are shown. */
export function App() {
  const [state, setState] = useState<State>({ at: "start" });

  const enter = useCallback(async () => {
    try {
      if (!(await stoa.session.token())) return setState({ at: "signed out" });
      const { me } = await stoa.query<{ me: Me }>(question);
      await members.load(stoa);
      setState({ at: "in", me });
    } catch (error) {
      if (lacksRole(error)) setState({ at: "refused" });
      else if (!(await stoa.session.userId().catch(() => null))) setState({ at: "signed out" });
      else setState({ at: "failed", why: sentenceOf(error) });
    }
  }, []);

  useEffect(() => {
    void enter();
    return onEnded(() => setState({ at: "signed out", why: "The session has ended. Sign in again: nothing that you have typed is lost." }));
  }, [enter]);

  const leave = async () => {
    await stoa.session.signOut();
    forget();
    await mutate(() => true, undefined, { revalidate: false });
    setState({ at: "signed out" });
  };

  switch (state.at) {
    case "start":
      return <p className="hidden" role="status">Loading</p>;
    case "signed out":
      return <SignIn onDone={enter} {...(state.why && { why: state.why })} />;
    case "refused":
      return (
        <Sheet title="This account has no role">
          <p>Only operators and moderators may enter. Ask an operator to make you a moderator, or add your address to the setting <code>operators</code> or <code>moderators</code>.</p>
          <div className="actions"><Button look="quiet" onPress={() => void enter()}>Try again</Button><Button look="primary" onPress={() => void leave()}>Sign in as somebody else</Button></div>
        </Sheet>
      );
    case "failed":
      return (
        <Sheet title="The console cannot start">
          <p role="alert">{state.why}</p>
          <div className="actions"><Button look="quiet" onPress={() => void leave()}>Sign out</Button><Button look="primary" onPress={() => void enter()}>Try again</Button></div>
        </Sheet>
      );
    case "in":
      return <Shell key={state.me.userId} me={state.me} leave={() => void leave()} recheck={enter} />;
  }
}
