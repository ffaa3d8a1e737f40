// Bundles the files for browsers. `manifest.json` lists their names, which contain a hash of the content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
const source = (...path) => join(web, 'src', ...path);

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
  alias: { 'preact/jsx-runtime': source('islands', 'dom-jsx.ts') },
  logLevel: 'warning',
};

/** `externalOf` returns the address of a dynamic import, or undefined to bundle it. */
async function scripts(names, externalOf = () => undefined) {
  const dynamicImports = {
    name: 'dynamic-imports',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        const external = kind === 'dynamic-import' ? externalOf(path) : undefined;
        return external && { path: external, external: true };
      });
    },
  };
  const { outputFiles } = await esbuild.build({
    ...common,
    entryPoints: names.map((name) => source('islands', name)),
    plugins: [dynamicImports],
  });
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      // terser saves 0.4 kB of the verifying island.
      const { code } = await minify(text, { module: true, ecma: 2020, compress: { passes: 2 } });
      return named(path, Buffer.from(code));
    }),
  );
}

const oneOf = (made) => (path) => {
  if (!/^\.\/[a-z-]+\.tsx?$/.test(path)) return undefined;
  return `./${made.find(({ name }) => name.startsWith(`${basename(path, extname(path))}.`)).name}`;
};

// Shared chunks would add their code to every page. Other answer checks would add curves and ciphers.
const stamps = [
  ...(await scripts(['timestamps.ts'])),
  ...(await scripts(['check-created.ts'], (path) => path)),
];
const compared = [...stamps, ...(await scripts(['misfit-box.tsx'], oneOf(stamps)))];
const laterNames =
  'audit-record.tsx signature.ts dropped-file.ts evidence.ts read-index.ts opening.ts hash-files.tsx seal-blind.tsx';
const onDemand = [...compared, ...(await scripts(laterNames.split(' '), oneOf(compared)))];
const pageNames =
  'audit.ts verify.ts try.tsx copy.ts live.ts compose.ts drafts.tsx open.tsx files.ts blind.ts unseal.tsx reference.ts times.ts seal.ts';
const pages = await scripts(pageNames.split(' '), oneOf(onDemand));

// Saved receipts and embeds load nothing, so their sheets name no font file.
const { resolve } = createRequire(join(web, 'package.json'));
const fonts = ['Besley', 'Figtree'].map((family) => {
  const name = family.toLowerCase();
  const file = resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`);
  return { family, ...named(`${name}.woff2`, readFileSync(file)) };
});
// `optional`: a font that arrives late moves no text.
const faces = fonts.map(
  ({ family, name }) =>
    `@font-face{font-family:${family};src:url(${name}) format("woff2");font-weight:400 900;font-display:optional}`,
);

const build = async (options) => (await esbuild.build({ ...common, ...options })).outputFiles[0];
const sheet = await build({ entryPoints: [source('style', 'site.css')] });
const embedSheet = await build({ entryPoints: [source('style', 'embed.css')] });
const receipt = await build({ entryPoints: [source('islands', 'receipt-file.ts')], format: 'iife' });

// The pictures show icon.svg.
const icons = ['icon.svg', 'icon-180.png', 'icon-512.png', 'favicon.ico'].map((name) =>
  named(name, readFileSync(source('style', name))),
);
const pageSheet = Buffer.from(faces.join('') + sheet.text);
const shown = [...pages, ...fonts, named(sheet.path, pageSheet), ...icons];
const files = [...onDemand, ...shown];
const texts = files.filter(({ name }) => /\.(js|css|svg)$/.test(name));
const manifest = {
  // By their names without the hash.
  files: Object.fromEntries(shown.map(({ name }) => [name.replace(/\.[0-9a-f]{8}(?=\.\w+$)/, ''), name])),
  served: files.map(({ name }) => name),
  packed: texts.map(({ name }) => name),
  receipt: {
    script: receipt.text,
    scriptHash: digest(receipt.contents, 'base64'),
    style: sheet.text,
    styleHash: digest(sheet.contents, 'base64'),
  },
  embed: { style: embedSheet.text, styleHash: digest(embedSheet.contents, 'base64') },
};
await putAll(out, [
  ...files.map(({ name, contents }) => [name, contents]),
  ...texts.flatMap(({ name, contents }) => [
    [`${name}.br`, brotliCompressSync(contents)],
    [`${name}.gz`, gzipSync(contents, { level: 9 })],
  ]),
  ['manifest.json', JSON.stringify(manifest)],
]);

function named(path, contents) {
  const end = extname(path);
  return { name: `${basename(path, end)}.${digest(contents, 'hex').slice(0, 8)}${end}`, contents };
}

function digest(bytes, encoding) {
  return createHash('sha256').update(bytes).digest(encoding);
}
