import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The app uses the client package from this repository; yours would install its tarball.
const client = new URL("../../packages/client/src/index.ts", import.meta.url).pathname;
const server = process.env.STOA_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "stoa-client": client }, dedupe: ["graphql-ws"] },
  // `npm run dev` keeps everything at one address, as `stoa serve --site dist` does.
  server: { proxy: { "/graphql": { target: server, ws: true }, "/auth": server } },
  build: { target: "es2022", assetsInlineLimit: 0 },
});
