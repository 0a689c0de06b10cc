import { useMemo, useSyncExternalStore } from 'react';
import { GraphiQL } from 'graphiql';
import { Bar } from './bar.jsx';
import { samples, samplesPlugin } from './samples.jsx';
import { sessions } from './sessions.js';
import { fetcherFor } from './graph.js';
import { Welcome } from './welcome.jsx';

const plugins = [samplesPlugin];

export function App() {
  const { users, activeId } = useSyncExternalStore(sessions.subscribe, sessions.snapshot);
  return (
    <>
      <Bar users={users} activeId={activeId} />
      {activeId ? <Workbench userId={activeId} /> : <Welcome />}
    </>
  );
}

function Workbench({ userId }) {
  const fetcher = useMemo(() => fetcherFor(() => sessions.token(userId)), [userId]);
  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      storage={sessionStorage}
      defaultQuery={samples[0].query}
      defaultEditorToolsVisibility="variables"
      isHeadersEditorEnabled={false}
      inputValueDeprecation
    >
      <GraphiQL.Logo>
        <span />
      </GraphiQL.Logo>
    </GraphiQL>
  );
}
