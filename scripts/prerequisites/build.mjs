import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './lock.mjs';
import { ROOT, SetupError, run, say } from './run.mjs';

const SOLUTION = 'tsconfig.build.json';
const STAMP = join(CACHE, 'build-stamp');

export function buildIsFresh() {
  if (!existsSync(STAMP)) return false;
  if (!builtPackages().every((path) => existsSync(join(ROOT, path, 'dist', '.tsbuildinfo')))) return false;
  if (!existsSync(join(ROOT, 'packages', 'web', 'dist', 'islands', 'manifest.json'))) return false;
  if (!existsSync(join(ROOT, 'packages', 'server', 'dist', 'run', 'serve.js'))) return false;
  if (!existsSync(join(ROOT, 'packages', 'server', 'dist', 'install', 'index.json'))) return false;
  return readFileSync(STAMP, 'utf8') === fingerprint();
}

export async function build() {
  say('Building …');
  await step('Writing the types of the API', [join(ROOT, 'scripts', 'write-types.mjs')]);
  // A file that changes during the build counts as stale.
  const before = fingerprint();
  await step('The TypeScript build', [
    join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc'),
    '-b',
    SOLUTION,
  ]);
  await step('Extracting the contracts', [join(ROOT, 'scripts', 'extract-contracts.mjs')]);
  await step('Bundling the islands', [join(ROOT, 'scripts', 'build-web.mjs')]);
  await step('Bundling the server', [join(ROOT, 'scripts', 'bundle-server.mjs')]);
  await step('Bundling what a service serves for installation', [
    join(ROOT, 'scripts', 'bundle-packages.mjs'),
  ]);
  writeFileSync(STAMP, before);
}

async function step(what, args) {
  const { status } = await run(process.execPath, args);
  if (status !== 0) throw new SetupError(`${what} failed; see above.`);
}

function builtPackages() {
  return JSON.parse(readFileSync(join(ROOT, SOLUTION), 'utf8')).references.map(({ path }) => path);
}

function fingerprint() {
  const digest = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    digest.update(`${path} ${size} ${mtimeMs}\n`);
  };
  digest.update(readFileSync(join(ROOT, 'package-lock.json')));
  add(SOLUTION);
  add('tsconfig.base.json');
  add(join('scripts', 'write-types.mjs'));
  add(join('scripts', 'extract-contracts.mjs'));
  add(join('scripts', 'build-web.mjs'));
  add(join('scripts', 'bundle-server.mjs'));
  add(join('scripts', 'bundle-packages.mjs'));
  for (const path of builtPackages()) {
    add(join(path, 'package.json'));
    add(join(path, 'tsconfig.json'));
    for (const file of filesBelow(join(path, 'src'))) add(file);
  }
  return digest.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
