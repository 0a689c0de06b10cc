// Bundles GraphiQL, its users' bar and their licences into ../static, compressed.
// The result is committed, so that the server builds with Go alone: run
// `npm ci && npm run build` here after a change and commit what differs.
import { build } from 'esbuild';
import { existsSync, readdirSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const out = new URL('../static/', import.meta.url);

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

const { outputFiles, metafile } = await build({
  entryPoints: { app: 'src/main.jsx' },
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  outdir: 'out',
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [withoutFonts],
});

mkdirSync(out, { recursive: true });
for (const file of outputFiles) save(file.path.split('/').pop(), file.contents);
save('licenses.txt', licences(metafile));

function save(name, contents) {
  // zlib leaves the time out of the header, so that equal input gives equal files.
  const compressed = gzipSync(contents, { level: 9 });
  writeFileSync(new URL(`${name}.gz`, out), compressed);
  console.log(`${name}: ${compressed.length} bytes`);
}

// licences repeats the notice of every package that is part of the bundle.
function licences({ inputs }) {
  const names = Object.keys(inputs).flatMap((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []);
  return [...new Set(names)].sort().map(notice).join('\n');
}

function notice(name) {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file && existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
