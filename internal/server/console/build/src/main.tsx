import { createRoot } from "react-dom/client";
import { SWRConfig } from "swr";

import "./style.css";
import { App } from "./app.tsx";

createRoot(document.getElementById("app")!).render(
  <SWRConfig value={{ dedupingInterval: 500, errorRetryInterval: 4000 }}>
    <App />
  </SWRConfig>,
);
