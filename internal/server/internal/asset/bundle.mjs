// Bundles a page with its licences into a folder, compressed. The result is committed, so
// that the server builds with Go alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

// bundle runs a page's own esbuild and replaces the files in the folder out. With the argument
// --check, it fails if they are stale instead.
export async function bundle(build, out, options) {
  const { outputFiles, metafile } = await build({
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
    ...options,
  });
  const files = outputFiles.map(({ path, contents }) => [path.split('/').pop(), contents]);
  files.push(['licenses.txt', licences(metafile)]);
  if (process.argv.includes('--check')) check(out, files);
  else save(out, files);
  return metafile;
}

function save(out, files) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, contents] of files) {
    // zlib leaves the time out of the header, so that equal input gives equal files.
    const compressed = gzipSync(contents, { level: 9 });
    writeFileSync(new URL(`${name}.gz`, out), compressed);
    console.log(`${name}: ${compressed.length} bytes`);
  }
}

// check compares contents and not compressed files, which may differ between versions of zlib.
function check(out, files) {
  const stale = files.filter(([name, contents]) => {
    const file = new URL(`${name}.gz`, out);
    return !existsSync(file) || !gunzipSync(readFileSync(file)).equals(Buffer.from(contents));
  });
  if (stale.length) throw new Error(`stale: ${stale.map(([name]) => name).join(', ')}; run npm run build, and commit what differs`);
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
