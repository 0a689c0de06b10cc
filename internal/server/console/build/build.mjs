// Bundles the console into ../static: run `npm ci && npm run build` here after a change, also of
// the operator schema, and commit what differs.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { bundle } from '../../internal/asset/bundle.mjs';

// What a browser reads before it shows something, in bytes.
const limit = 150_000;

const out = new URL('../static/', import.meta.url);
const { outputs } = await bundle(build, out, {
  entryPoints: { app: 'src/main.tsx', icon: 'src/icon.svg' },
  loader: { '.svg': 'copy' },
  splitting: true,
  chunkNames: '[name]-[hash]',
  // The client finds its dependency here, whether or not its own are installed.
  alias: { 'stoa-client': '../../../../packages/client/src/index.ts', 'graphql-ws': './node_modules/graphql-ws' },
  nodePaths: ['node_modules'],
});

const first = new Set();
follow('out/app.js');
first.add(outputs['out/app.js'].cssBundle);
const total = [...first].reduce((sum, file) => sum + readFileSync(new URL(`${file.split('/').pop()}.gz`, out)).length, 0);
console.log(`first load: ${total} bytes`);
if (total > limit) throw new Error(`the first load has ${total} bytes, more than ${limit}`);

function follow(file) {
  if (first.has(file)) return;
  first.add(file);
  for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') follow(path);
}
