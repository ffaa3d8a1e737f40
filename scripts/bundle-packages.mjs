// Makes one tarball of each package, which a service serves (packages/server/src/http/pages/install.ts).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { tarball } from './install/tarball.mjs';
import { licenses } from './install/licenses.mjs';
import { declarations } from './install/declarations.mjs';
import { put, removeOthers } from './put.mjs';

const { values } = readArguments(
  `usage: node scripts/bundle-packages.mjs [--out <folder>]

Bundles svc, the SDK and svc-mcp into tarballs without dependencies.`,
  { options: { out: { type: 'string' } } },
);

const root = fileURLToPath(new URL('../', import.meta.url));
const out = values.out ?? join(root, 'packages/server/dist/install');
const index = join(out, 'index.json');

const esbuild = await import('esbuild').catch((error) => {
  // An installation without development dependencies uses the existing build.
  if (existsSync(index)) process.exit(0);
  throw error;
});

const made = [];
for (const name of ['cli', 'sdk', 'mcp']) made.push(await pack(name));
await mkdir(out, { recursive: true });
for (const { name, bytes } of made) await put(join(out, name), bytes);
await put(
  index,
  `${JSON.stringify(
    made.map(({ name, package: of, bytes }) => ({
      name,
      package: of,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  )}\n`,
);
await removeOthers(out, ['index.json', ...made.map(({ name }) => name)]);

async function pack(name) {
  const folder = join(root, 'packages', name);
  const { exports, bin, ...manifest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entries = bin ? ['./dist/main.js'] : Object.values(exports).map((entry) => entry.default);
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => join(folder, entry)),
    outbase: folder,
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: bin ? 'node' : 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    charset: 'utf8',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    chunkNames: 'dist/[name].[hash]',
    // CommonJS packages need this.
    ...(bin && {
      banner: {
        js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
      },
    }),
    logLevel: 'warning',
  });
  const types = bin ? new Map() : await declarations(root, name, exports);
  const files = new Map([
    ...outputFiles.map(({ path, contents }) => [path.slice(folder.length + 1), contents]),
    ...types,
    ['LICENSE', await readFile(join(root, 'LICENSE'))],
    ['THIRD-PARTY-LICENSES.txt', Buffer.from(await licenses(root, Object.keys(metafile.inputs)))],
    ['README.md', await readFile(join(folder, 'README.md'))],
  ]);
  for (const path of Object.values(bin ?? {})) files.set(path.slice(2), await readFile(join(folder, path)));
  const { version, description, license, type, engines, sideEffects } = manifest;
  const shown = { name: manifest.name, version, description, license, type, engines, sideEffects };
  files.set(
    'package.json',
    Buffer.from(
      `${JSON.stringify({ ...shown, ...(bin ? { bin } : { exports: withTypes(exports) }) }, null, 2)}\n`,
    ),
  );
  return { name: `svc-${name}.tgz`, package: manifest.name, bytes: await tarball(files) };

  function withTypes(named) {
    return Object.fromEntries(
      Object.entries(named).map(([key, entry]) => [
        key,
        { types: entry.types.replace('./dist/', `./types/${name}/`), default: entry.default },
      ]),
    );
  }
}
