// What browsers load: the stylesheet, the islands and the parts of the self-checking receipt, bundled out of packages/web
// into its dist/islands under names that change with their content. `manifest.json` names them.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../packages/web/', import.meta.url));
const out = join(web, 'dist', 'islands');
const manifestFile = join(out, 'manifest.json');

const esbuild = await import('esbuild').catch((error) => {
  // Installed without development dependencies, built before.
  if (existsSync(manifestFile)) process.exit(0);
  throw error;
});

const common = {
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: out,
  // The islands draw DOM nodes with the components that the server renders.
  jsx: 'automatic',
  alias: { 'preact/jsx-runtime': join(web, 'src', 'islands', 'dom-jsx.ts') },
  logLevel: 'warning',
};
const source = (...path) => join(web, 'src', ...path);

// Ed25519 and what checks evidence are files of their own, loaded on demand: each bundled alone, because shared chunks would
// carry them into every page.
const alone = (name) =>
  esbuild.build({ ...common, entryPoints: [source('islands', name)], entryNames: '[name].[hash]' });
const signature = await alone('signature.ts');
const evidence = await alone('evidence.ts');
const onDemand = {
  name: 'on-demand',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(signature|evidence)\.ts$/ }, ({ path }) => ({
      path: `./${basename((path.includes('signature') ? signature : evidence).outputFiles[0].path)}`,
      external: true,
    }));
  },
};
const pages = await esbuild.build({
  ...common,
  entryPoints: ['verify.ts', 'copy.ts', 'live.ts', 'compose.ts'].map((name) => source('islands', name)),
  plugins: [onDemand],
  entryNames: '[name].[hash]',
});
const style = await esbuild.build({
  ...common,
  entryPoints: [source('style', 'site.css')],
  entryNames: '[name].[hash]',
});
const embed = await esbuild.build({ ...common, entryPoints: [source('style', 'embed.css')] });
const receipt = await esbuild.build({
  ...common,
  entryPoints: [source('islands', 'receipt-file.ts')],
  format: 'iife',
});

const icon = await readFile(source('style', 'icon.svg'));
const files = [
  ...signature.outputFiles,
  ...evidence.outputFiles,
  ...pages.outputFiles,
  ...style.outputFiles,
].map(({ path, contents }) => ({
  name: basename(path),
  contents,
}));
files.push({ name: `icon.${digest(icon, 'hex').slice(0, 8)}.svg`, contents: icon });

const named = (start, end) => files.find(({ name }) => name.startsWith(start) && name.endsWith(end)).name;
const [script] = receipt.outputFiles;
const [sheet] = style.outputFiles;
const [embedSheet] = embed.outputFiles;
const manifest = {
  files: {
    'site.css': named('site.', '.css'),
    'verify.js': named('verify.', '.js'),
    'copy.js': named('copy.', '.js'),
    'compose.js': named('compose.', '.js'),
    'live.js': named('live.', '.js'),
    'icon.svg': named('icon.', '.svg'),
  },
  served: files.map(({ name }) => name),
  receipt: {
    script: script.text,
    scriptHash: digest(script.contents, 'base64'),
    style: sheet.text,
    styleHash: digest(sheet.contents, 'base64'),
  },
  embed: { style: embedSheet.text, styleHash: digest(embedSheet.contents, 'base64') },
};

await mkdir(out, { recursive: true });
for (const { name, contents } of files) await put(join(out, name), contents);
await put(manifestFile, JSON.stringify(manifest));
for (const name of await readdir(out)) {
  if (name !== 'manifest.json' && !manifest.served.includes(name)) await rm(join(out, name), { force: true });
}

/** Whole or not at all: another process may read it right now. */
async function put(path, contents) {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, contents);
  await rename(aside, path);
}

function digest(bytes, encoding) {
  return createHash('sha256').update(bytes).digest(encoding);
}
