import "./style.css";

import { createRoot } from "react-dom/client";
import { Provider } from "urql";

import { App } from "./app.tsx";
import { client } from "./server.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
createRoot(document.getElementById("root")!).render(
  <Provider value={client}>
    <App />
  </Provider>,
);
