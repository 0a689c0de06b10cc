// Bundles GraphiQL and its users' bar into ../static: run `npm ci && npm run build` here after
// a change and commit what differs.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { bundle } from '../../internal/asset/bundle.mjs';

// GraphiQL's style sheet carries 250 KB of fonts; the reader's own serve as well.
const withoutFonts = {
  name: 'without-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /graphiql\/dist\/style\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    }));
  },
};

await bundle(build, new URL('../static/', import.meta.url), { entryPoints: { app: 'src/main.jsx' }, plugins: [withoutFonts] });
