import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { CACHE, ROOT, SetupError, npm, readJson, run, say } from './run.mjs';

/** npm writes this file last. */
const INSTALLED = 'node_modules/.package-lock.json';
const STAMP = join(CACHE, 'build-stamp');
/** Sources that the build writes. */
const WRITTEN = ['packages/contract/src/types.ts', 'packages/contract/src/tables.ts'];
const STEPS = [
  ['scripts/write-types.mjs'],
  ['node_modules/typescript-native/bin/tsc', '-b', 'tsconfig.build.json'],
  ['scripts/build-web.mjs'],
  ['scripts/bundle-server.mjs'],
  ['scripts/man-pages.mjs'],
  ['scripts/bundle-packages.mjs'],
];
/** Written by the build. */
const MADE = [
  ...WRITTEN,
  'packages/web/dist/islands/manifest.json',
  'packages/server/dist/run/serve.js',
  'packages/cli/dist/svc.1',
  'packages/server/dist/install/index.json',
];

/** Installs and builds what is missing. */
export async function prepare() {
  if (packagesAreInstalled() && buildIsFresh()) return;
  await withLock('setup', async () => {
    // A different process may have done it already.
    if (!packagesAreInstalled()) {
      say('Installing packages (about a minute the first time) …');
      // The flags matter with NODE_ENV=production.
      await npm(['ci', '--include=dev', '--include=optional'], { what: 'Installing packages', cwd: ROOT });
    }
    if (buildIsFresh()) return;
    say('Building …');
    await buildAll();
  });
}

/** Builds everything, and writes the stamp by which `prepare` recognizes a fresh build. */
export const build = () => withLock('setup', buildAll);

const exists = (path) => existsSync(join(ROOT, path));

/** Extra packages are fine; optional packages of other systems may be missing. */
function packagesAreInstalled() {
  if (!exists(INSTALLED)) return false;
  const { packages: installed } = readJson(INSTALLED);
  const { '': _root, ...locked } = readJson('package-lock.json').packages;
  const isLocked = ([path, { version, integrity, link, optional, devOptional }]) => {
    const found = installed[path];
    if (!found) return optional || devOptional;
    return found.version === version && found.integrity === integrity && found.link === link;
  };
  const fits = (accepted, value) =>
    !accepted || accepted.includes(value) || accepted.some((one) => one[0] === '!' && one !== `!${value}`);
  const works = ([path, { os, cpu }]) =>
    exists(path) && fits(os, process.platform) && fits(cpu, process.arch);
  return Object.entries(locked).every(isLocked) && Object.entries(installed).every(works);
}

function buildIsFresh() {
  const made = [...MADE, ...builtPackages().map((path) => join(path, 'dist', '.tsbuildinfo'))];
  return existsSync(STAMP) && made.every(exists) && readFileSync(STAMP, 'utf8') === fingerprint();
}

async function buildAll() {
  // A file that changes during the build counts as stale.
  const before = fingerprint();
  for (const step of STEPS) {
    const { status } = await run(process.execPath, step);
    if (status !== 0) throw new SetupError(`node ${step.join(' ')} failed; see above.`);
  }
  writeFileSync(STAMP, before);
}

const builtPackages = () => readJson('tsconfig.build.json').references.map(({ path }) => path);

/** Compares names, sizes and times. */
function fingerprint() {
  const files = [
    'tsconfig.build.json',
    'tsconfig.base.json',
    ...STEPS.map(([program]) => program),
    ...builtPackages().flatMap((path) => [
      join(path, 'package.json'),
      join(path, 'tsconfig.json'),
      ...filesBelow(join(path, 'src')),
    ]),
  ];
  const digest = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const path of files.filter((file) => !WRITTEN.includes(file))) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    digest.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex');
}

const filesBelow = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
