import { useMemo, useSyncExternalStore } from 'react';
import { GraphiQL } from 'graphiql';
import { Bar } from './bar.jsx';
import { samplesPlugin } from './samples.jsx';
import { sessions } from './sessions.js';
import { systems } from './systems.js';
import { fetcherFor } from './graph.js';
import { Guide } from './guide.jsx';
import { Live } from './live.jsx';
import { Pictures, pictures } from './pictures.jsx';
import { Welcome } from './welcome.jsx';

export function App() {
  const { users, activeId } = useSyncExternalStore(sessions.subscribe, sessions.snapshot);
  const system = systems.active();
  return (
    <>
      <Bar users={users} activeId={activeId} system={system} />
      {activeId ? (
        <main className="workbench">
          <Workbench system={system} userId={activeId} />
        </main>
      ) : (
        <Welcome />
      )}
      {activeId && <Pictures />}
      {activeId && system.news && <Live users={users} activeId={activeId} system={system} />}
    </>
  );
}

function Workbench({ system, userId }) {
  const fetcher = useMemo(() => fetcherFor(system.path, () => sessions.token(userId), pictures.take), [system, userId]);
  const plugins = useMemo(() => [samplesPlugin(system.samples)], [system]);
  const storage = useMemo(() => storageOf(system.name), [system]);
  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      visiblePlugin={plugins[0]}
      storage={storage}
      defaultQuery={system.samples[0].query}
      defaultEditorToolsVisibility="variables"
      isHeadersEditorEnabled={false}
      inputValueDeprecation
    >
      <GraphiQL.Logo>
        <span />
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <Guide userId={userId} />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}

// storageOf keeps what was typed for one system apart from the others'.
function storageOf(name) {
  const own = (key) => `${name}:${key}`;
  return {
    getItem: (key) => sessionStorage.getItem(own(key)),
    setItem: (key, value) => sessionStorage.setItem(own(key), value),
    removeItem: (key) => sessionStorage.removeItem(own(key)),
    clear: () => sessionStorage.clear(),
    get length() {
      return sessionStorage.length;
    },
  };
}
