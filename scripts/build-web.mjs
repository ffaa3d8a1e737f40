// Bundles the files for browsers. `manifest.json` lists their names, which contain a hash of the content.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { esbuildOr, putAll } from './built-files.mjs';

readArguments(`usage: node scripts/build-web.mjs

Bundles what browsers load into packages/web/dist/islands. Takes no arguments.`);

const web = fileURLToPath(new URL('../packages/web/', import.meta.url));
const out = join(web, 'dist', 'islands');

const esbuild = await esbuildOr(join(out, 'manifest.json'));
const { minify } = await import('terser');

const common = {
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: out,
  // The server's components make DOM nodes.
  jsx: 'automatic',
  alias: { 'preact/jsx-runtime': join(web, 'src', 'islands', 'dom-jsx.ts') },
  logLevel: 'warning',
};
const source = (...path) => join(web, 'src', ...path);

/** terser saves 0.4 kB of the verifying island. */
async function scripts(names, plugins = []) {
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: names.map((name) => source('islands', name)),
    plugins,
  });
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await minify(text, { module: true, ecma: 2020, compress: { passes: 2 } });
      return named(path, Buffer.from(code));
    }),
  );
}

/** `resolve` gives a dynamic import its name; without a name it is bundled. */
const dynamicImports = (resolve) => ({
  name: 'dynamic-imports',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      const name = kind === 'dynamic-import' ? resolve(path) : undefined;
      return name ? { path: name, external: true } : undefined;
    });
  },
});
const onDemandFrom = (made) =>
  dynamicImports(
    (path) => /^\.\/[a-z-]+\.tsx?$/.test(path) && `./${fileOf(made, basename(path, extname(path)), '.js')}`,
  );
/** Other answer checks would add curves and ciphers. */
const ofFormsAlone = dynamicImports((path) => path);

// Shared chunks would add their code to every page.
const stamps = [...(await scripts(['timestamps.ts'])), ...(await scripts(['check-made.ts'], [ofFormsAlone]))];
const compared = [...stamps, ...(await scripts(['check-sent.tsx'], [onDemandFrom(stamps)]))];
const onDemand = [
  ...compared,
  ...(await scripts(
    ['signature.ts', 'dropped-file.ts', 'evidence.ts', 'opening.ts', 'hash-files.tsx', 'seal-blind.tsx'],
    [onDemandFrom(compared)],
  )),
];
const pages = await scripts(
  [
    'verify.ts',
    'try.tsx',
    'copy.ts',
    'live.ts',
    'compose.ts',
    'drafts.tsx',
    'open.tsx',
    'files.ts',
    'blind.ts',
    'unseal.tsx',
    'reference.ts',
    'times.ts',
  ],
  [onDemandFrom(onDemand)],
);
const css = async (name) =>
  (await esbuild.build({ ...common, entryPoints: [source('style', name)] })).outputFiles[0];
const [sheet, embedSheet] = [await css('site.css'), await css('embed.css')];
const receipt = await esbuild.build({
  ...common,
  entryPoints: [source('islands', 'receipt-file.ts')],
  format: 'iife',
});
const icon = await readFile(source('style', 'icon.svg'));
const pictures = await drawIcon(icon);
const shown = [...pages, named(sheet.path, sheet.contents), named('icon.svg', icon), ...pictures];
const files = [...onDemand, ...shown];

const [script] = receipt.outputFiles;
const manifest = {
  // By their names without the hash.
  files: Object.fromEntries(shown.map(({ name }) => [name.replace(/\.[0-9a-f]{8}(?=\.\w+$)/, ''), name])),
  served: files.map(({ name }) => name),
  packed: files.filter(isText).map(({ name }) => name),
  receipt: {
    script: script.text,
    scriptHash: digest(script.contents, 'base64'),
    style: sheet.text,
    styleHash: digest(sheet.contents, 'base64'),
  },
  embed: { style: embedSheet.text, styleHash: digest(embedSheet.contents, 'base64') },
};

const packed = files.filter(isText).flatMap(({ name, contents }) => [
  [`${name}.br`, brotliCompressSync(contents)],
  [`${name}.gz`, gzipSync(contents, { level: 9 })],
]);
await putAll(out, [
  ...files.map(({ name, contents }) => [name, contents]),
  ...packed,
  ['manifest.json', JSON.stringify(manifest)],
]);

function named(path, contents) {
  const end = extname(path);
  return { name: `${basename(path, end)}.${digest(contents, 'hex').slice(0, 8)}${end}`, contents };
}

async function drawIcon(svg) {
  const ofWeb = createRequire(join(web, 'package.json'));
  const { initWasm, Resvg } = ofWeb('@resvg/resvg-wasm');
  await initWasm(await readFile(ofWeb.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const png = (width) => new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
  return [
    named('icon-180.png', png(180)),
    named('icon-512.png', png(512)),
    named('favicon.ico', asIco(png(32), 32)),
  ];
}

function asIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function isText({ name }) {
  return /\.(js|css|svg)$/.test(name);
}

function fileOf(files, start, end) {
  return files.find(({ name }) => name.startsWith(`${start}.`) && name.endsWith(end)).name;
}

function digest(bytes, encoding) {
  return createHash('sha256').update(bytes).digest(encoding);
}
