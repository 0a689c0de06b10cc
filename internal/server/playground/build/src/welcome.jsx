import { AccountForm } from './form.jsx';

export function Welcome() {
  return (
    <main className="welcome">
      <section>
        <h1>Ask the graph</h1>
        <p>
          Every question is asked by somebody. Sign up a first user, and the editor opens with a few samples, among them a
          subscription that waits for news.
        </p>
        <p className="hint">
          Each browser tab keeps its own users. Open a second tab to let one user watch what another one does.
        </p>
      </section>
      <AccountForm />
    </main>
  );
}
