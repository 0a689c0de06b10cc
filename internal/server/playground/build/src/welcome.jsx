import { AccountForm } from './form.jsx';

export function Welcome() {
  return (
    <main className="welcome">
      <section>
        <h2>Ask the graph</h2>
        <p>
          Every question is asked by somebody. Sign up a first user: the editor opens with samples to run. Add a second one,
          and watch the first one’s feed move when the second posts.
        </p>
        <p className="hint">
          Each browser tab keeps its own users. Open a second tab to let one user watch what another one does.
        </p>
      </section>
      <AccountForm />
    </main>
  );
}
