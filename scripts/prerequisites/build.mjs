import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './lock.mjs';
import { ROOT, SetupError, run, say } from './run.mjs';

const STAMP = join(CACHE, 'build-stamp');
const MADE = ['web/dist/islands/manifest.json', 'server/dist/run/serve.js', 'server/dist/install/index.json'];
/** Written by the build. */
const TYPES = join('packages', 'contract', 'src', 'types.ts');

/** Compares names, sizes and times. */
export function buildIsFresh() {
  const made = [
    ...MADE.map((path) => join('packages', path)),
    ...builtPackages().map((path) => join(path, 'dist', '.tsbuildinfo')),
    TYPES,
  ];
  return (
    existsSync(STAMP) &&
    made.every((path) => existsSync(join(ROOT, path))) &&
    readFileSync(STAMP, 'utf8') === fingerprint()
  );
}

/** As `npm run build`. */
export async function build() {
  say('Building …');
  // A file that changes during the build counts as stale.
  const before = fingerprint();
  for (const step of steps()) {
    const { status } = await run(process.execPath, step);
    if (status !== 0) throw new SetupError(`node ${step.join(' ')} failed; see above.`);
  }
  writeFileSync(STAMP, before);
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const steps = () =>
  readJson('package.json')
    .scripts.build.split(' && ')
    .map((step) => step.split(' ').slice(1));
const builtPackages = () => readJson('tsconfig.build.json').references.map(({ path }) => path);

function fingerprint() {
  const files = [
    'tsconfig.build.json',
    'tsconfig.base.json',
    ...steps().map(([program]) => program),
    ...builtPackages().flatMap((path) => [
      join(path, 'package.json'),
      join(path, 'tsconfig.json'),
      ...filesBelow(join(path, 'src')),
    ]),
  ];
  const digest = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const path of files) {
    if (path === TYPES) continue;
    const { size, mtimeMs } = statSync(join(ROOT, path));
    digest.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex');
}

const filesBelow = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.parentPath.slice(join(ROOT, folder).length), entry.name))
    .sort();
