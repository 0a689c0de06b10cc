import { useEditorContext } from '@graphiql/react';

function Samples({ samples }) {
  const { queryEditor, variableEditor } = useEditorContext({ nonNull: true });
  const open = async (sample) => {
    const variables = sample.variables && (await sample.variables());
    queryEditor?.setValue(sample.query);
    variableEditor?.setValue(variables ? JSON.stringify(variables, null, 2) : '');
  };
  return (
    <section className="samples" aria-label="Samples">
      <div className="graphiql-doc-explorer-title">Samples</div>
      <ul>
        {samples.map((sample) => (
          <li key={sample.title}>
            <button type="button" onClick={() => open(sample)}>
              <strong>{sample.title}</strong>
              <span>{sample.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Icon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" height="1em">
      <path d="M4 5h16M4 12h10M4 19h13" strokeLinecap="round" />
      <path d="m18 9 3 3-3 3" />
    </svg>
  );
}

// samplesPlugin shows the samples of one system.
export function samplesPlugin(samples) {
  return { title: 'Samples', icon: Icon, content: () => <Samples samples={samples} /> };
}
