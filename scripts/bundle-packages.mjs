// Makes what a service serves at /install/ (packages/server/src/http/pages/install.tsx): one tarball of each package,
// and svc as one file.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { declarations } from './declarations.mjs';
import { FOR_NODE, esbuildOr, putAll } from './built-files.mjs';
import { ROOT, readJson } from './prerequisites/run.mjs';

const { values } = readArguments(
  `usage: node scripts/bundle-packages.mjs [--out <folder>]

Bundles svc, the SDK and svc-mcp into tarballs without dependencies, and svc into one file, svc.mjs.`,
  { options: { out: { type: 'string' } } },
);

const out = values.out ?? join(ROOT, 'packages/server/dist/install');
const INDEX = 'index.json';
/** npm uses this time too, because zip files allow no earlier one. */
const MTIME = new Date('1985-10-26T08:15:00Z');

const esbuild = await esbuildOr(join(out, INDEX));
const { pack } = createRequire(join(ROOT, 'packages/cli/package.json'))('tar-stream');
const SMALL = {
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
};
const asJson = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

const made = [];
for (const name of ['cli', 'sdk', 'mcp']) made.push(await bundle(name));
made.push(await singleFile());
const index = made.map(({ name, package: of, bytes }) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, package: of, bytes: bytes.length, sha256 };
});
await putAll(out, [...made.map(({ name, bytes }) => [name, bytes]), [INDEX, `${JSON.stringify(index)}\n`]]);

async function bundle(name) {
  const folder = join(ROOT, 'packages', name);
  const manifest = readJson(`packages/${name}/package.json`);
  const { exports, bin, man, version, description, license, type, engines, sideEffects } = manifest;
  const entries = bin ? ['./dist/main.js'] : Object.values(exports).map((entry) => entry.default);
  const { outputFiles, metafile } = await esbuild.build({
    ...FOR_NODE,
    ...(bin ? {} : { platform: 'neutral', banner: {} }),
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => join(folder, entry)),
    outbase: folder,
    outdir: folder,
    metafile: true,
    ...SMALL,
    chunkNames: 'dist/[name].[hash]',
  });
  const withTypes = Object.entries(exports ?? {}).map(([key, { types, default: code }]) => [
    key,
    { types: types.replace('./dist/', `./types/${name}/`), default: code },
  ]);
  const shown = { name: manifest.name, version, description, license, type, engines, sideEffects };
  const files = new Map([
    ...outputFiles.map(({ path, contents }) => [path.slice(folder.length + 1), contents]),
    ...(bin ? [] : await declarations(name, exports)),
    ['LICENSE', await readFile(join(ROOT, 'LICENSE'))],
    ['THIRD-PARTY-LICENSES.txt', await licenses(Object.keys(metafile.inputs))],
    ['README.md', await readFile(join(folder, 'README.md'))],
    ...(await filesIn(folder, 'examples')),
    [
      'package.json',
      asJson({ ...shown, ...(bin ? { bin, man } : { exports: Object.fromEntries(withTypes) }) }),
    ],
  ]);
  for (const path of [...Object.values(bin ?? {}), ...(man ? [man] : [])])
    files.set(path.slice(2), await readFile(join(folder, path)));
  return { name: `svc-${name}.tgz`, package: manifest.name, bytes: await tarball(files) };
}

/** svc with its licenses: Node.js runs the file without an installation. */
async function singleFile() {
  const name = 'svc.mjs';
  const { outputFiles, metafile } = await esbuild.build({
    ...FOR_NODE,
    ...SMALL,
    splitting: false,
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, 'packages/cli/bin', name)],
    outfile: join(out, name),
    metafile: true,
  });
  const own = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  const texts = `${own}\n${'-'.repeat(80)}\n\n${await licenses(Object.keys(metafile.inputs))}`;
  const comment = `/*\n${texts.replaceAll('*/', '* /')}*/\n`;
  return {
    name,
    package: readJson('packages/cli/package.json').name,
    bytes: Buffer.concat([outputFiles[0].contents, Buffer.from(comment)]),
  };
}

async function filesIn(folder, name) {
  const names = await readdir(join(folder, name)).catch(() => []);
  return Promise.all(
    names.map(async (file) => [`${name}/${file}`, await readFile(join(folder, name, file))]),
  );
}

async function licenses(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  const texts = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = readJson(`${folder}/package.json`);
    const files = (await readdir(join(ROOT, folder))).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
    const found = await Promise.all(files.sort().map((file) => readFile(join(ROOT, folder, file), 'utf8')));
    texts.push(`${name} ${version} (${license})\n\n${found.map((text) => text.trim()).join('\n\n')}\n`);
  }
  return Buffer.from(texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Reproducible: sorted, with fixed times and owners. */
async function tarball(files) {
  const tar = pack();
  for (const [path, contents] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const mode = path.startsWith('bin/') ? 0o755 : 0o644;
    tar.entry({ name: `package/${path}`, mtime: MTIME, mode, uid: 0, gid: 0 }, Buffer.from(contents));
  }
  tar.finalize();
  const packed = gzipSync(await buffer(tar), { level: 9 });
  // 255 means an unknown system.
  packed[9] = 255;
  return packed;
}
