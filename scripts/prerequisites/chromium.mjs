import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { CACHE, withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { SetupError, run, say } from './run.mjs';
import { fromFirst, installByApt } from './sources.mjs';

const NPM_VERSION = '153.0.0';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `TEST_CHROMIUM` = `system`, `apt` or `npm` requires one source. */
export function ensureChromium(source = process.env.TEST_CHROMIUM) {
  return fromFirst(SOURCES, {
    setting: 'TEST_CHROMIUM',
    chosen: source,
    needed: 'The tests of the pages need a Chromium',
    help:
      'Install one (apt-get install chromium, apk add chromium, brew install chromium), or let this command download one:\n' +
      'it needs the npm registry once.',
  });
}

const SOURCES = { system: fromSystem, apt: fromApt, npm: fromNpm };

async function fromSystem() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  for (const path of candidates) if (existsSync(path) && (await starts(path))) return path;
  throw new SetupError('none found that starts');
}

/** The program may lack a library, or be a stub. */
async function starts(path) {
  const { status, stdout } = await run(path, ['--headless', '--no-sandbox', '--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
  }).catch(() => ({ status: 1, stdout: '' }));
  return status === 0 && /\d+\.\d+/.test(stdout);
}

async function fromApt() {
  say('Installing Chromium with apt-get …');
  await installByApt('chromium');
  return fromSystem();
}

async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SetupError(`there is none for ${process.platform} ${process.arch}`);
  const home = join(CACHE, `chromium-${NPM_VERSION}`);
  const program = join(home, 'run.sh');
  if (existsSync(program)) return program;
  return withLock('chromium', async () => {
    if (existsSync(program)) return program;
    say(`Downloading Chromium ${NPM_VERSION.split('.')[0]} from npm (70 MB) …`);
    // A folder under the final name is complete.
    const aside = mkdtempSync(join(CACHE, 'chromium-new-'));
    try {
      const name = '@sparticuz/chromium';
      await npm(['install', '--prefix', aside, '--no-save', '--no-package-lock', `${name}@${NPM_VERSION}`], {
        what: 'Getting Chromium from npm',
        cwd: aside,
      });
      await unpack(join(aside, 'node_modules', name, 'bin'), aside);
      rmSync(join(aside, 'node_modules'), { recursive: true, force: true });
      if (!(await starts(join(aside, 'run.sh'))))
        throw new SetupError(`the browser of ${name} does not start on this system`);
      renameSync(aside, home);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
    return program;
  });
}

async function unpack(packed, folder) {
  const inflate = (from, to) =>
    pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
  await inflate(join(packed, 'chromium.br'), join(folder, 'chromium'));
  chmodSync(join(folder, 'chromium'), 0o755);
  const libraries = join(folder, 'libraries.tar');
  await inflate(join(packed, 'al2023.tar.br'), libraries);
  const { status } = await run('tar', ['-xf', libraries, '-C', folder], { cwd: folder });
  if (status !== 0) throw new SetupError('tar could not unpack the libraries of the browser');
  rmSync(libraries);
  const wrapper = [
    '#!/bin/sh',
    'here=$(dirname "$0")',
    'LD_LIBRARY_PATH="$LD_LIBRARY_PATH:/usr/lib/x86_64-linux-gnu:/usr/lib64:$here/lib" exec "$here/chromium" "$@"',
    '',
  ];
  writeFileSync(join(folder, 'run.sh'), wrapper.join('\n'), { mode: 0o755 });
}
