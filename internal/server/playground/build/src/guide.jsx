import { useEffect, useState } from 'react';
import { useEditorContext, useExecutionContext } from '@graphiql/react';

// Guide stands below the answer. It runs the query that the editor opens with, and again as
// each user who becomes active, and says how to leave an editor by keyboard.
export function Guide({ userId }) {
  const { queryEditor, variableEditor, responseEditor } = useEditorContext({ nonNull: true });
  const { run } = useExecutionContext({ nonNull: true });
  const ready = Boolean(queryEditor && responseEditor);
  useEffect(() => {
    if (ready && isQuery(queryEditor.getValue())) run();
  }, [ready, userId]);
  useEffect(() => {
    for (const [name, editor] of Object.entries({ Query: queryEditor, Variables: variableEditor, Answer: responseEditor })) {
      editor?.setOption('screenReaderLabel', name);
    }
    // The keyboard scrolls the answer, which needs no cursor.
    responseEditor?.setOption('tabindex', -1);
    responseEditor?.getScrollerElement().setAttribute('tabindex', 0);
  }, [queryEditor, variableEditor, responseEditor]);
  useEffect(plainTabs, []);
  return (
    <p className="guide" role="status">
      {useReleasedTab() ? 'Tab leaves the editor now.' : 'Tab indents. To leave an editor, press Esc, then Tab.'}
    </p>
  );
}

// What changes nothing may run by itself: a text whose only operation is a query.
function isQuery(text) {
  return /^\s*(query\b|\{)/.test(text) && !/^(mutation|subscription)\b/m.test(text);
}

// plainTabs makes a list of buttons of GraphiQL's tabs, which claim to be what they are not:
// a tab must not hold the button that closes it. It also lets entries of the history be
// called what they show.
function plainTabs() {
  const container = document.querySelector('.graphiql-container');
  const mend = () => {
    for (const element of container.querySelectorAll('.graphiql-tabs[role], .graphiql-tab[role]')) element.removeAttribute('role');
    for (const tab of container.querySelectorAll('.graphiql-tab[aria-selected]')) {
      tab.querySelector('.graphiql-tab-button').setAttribute('aria-current', tab.getAttribute('aria-selected'));
      tab.removeAttribute('aria-selected');
    }
    for (const entry of container.querySelectorAll('.graphiql-history-item-label[aria-label]')) entry.removeAttribute('aria-label');
  };
  mend();
  const observer = new MutationObserver(mend);
  observer.observe(container, { subtree: true, childList: true, attributeFilter: ['role', 'aria-selected', 'aria-label'] });
  return () => observer.disconnect();
}

const released = { name: 'released', Tab: false, 'Shift-Tab': false };

// useReleasedTab lets Tab leave an editor after Escape, until the editor has been left, and
// reports whether it does. Where nothing can be typed, Tab always leaves.
function useReleasedTab() {
  const [free, setFree] = useState(false);
  useEffect(() => {
    const listen = (event) => {
      const editor = event.target.closest?.('.CodeMirror')?.CodeMirror;
      if (!editor) return;
      if (event.type === 'focusout') {
        editor.removeKeyMap('released');
        setFree(false);
      } else if (event.type === 'focusin' ? editor.getOption('readOnly') : event.key === 'Escape' && !editor.state.completionActive) {
        editor.removeKeyMap('released');
        editor.addKeyMap(released);
        setFree(true);
      }
    };
    for (const type of ['keydown', 'focusin', 'focusout']) document.addEventListener(type, listen, true);
    return () => {
      for (const type of ['keydown', 'focusin', 'focusout']) document.removeEventListener(type, listen, true);
    };
  }, []);
  return free;
}
