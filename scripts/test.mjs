// `--soak` runs the long tests at full count; TEST_NODE=<program> selects a Node.js.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) {
  console.log(`usage: npm test [-- <file or option of vitest> ...]
       npm run soak [-- <file or option of vitest> ...]

Installs and builds what is missing, then runs every test, or the files named. Other options go to vitest
(node node_modules/vitest/vitest.mjs --help).`);
  process.exit(0);
}
const { existsSync, readFileSync } = await import('node:fs');
const { availableParallelism } = await import('node:os');
const { delimiter, dirname, join, resolve } = await import('node:path');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { ensureProgram } = await import('./prerequisites/programs.mjs');
const { ROOT, call, orExplain, run, say } = await import('./prerequisites/run.mjs');
const { makeTestFolder } = await import('./test-folder.mjs');

const node = resolve(process.env['TEST_NODE'] || process.execPath);
const soak = process.argv.includes('--soak');
const chosen = process.argv.slice(2).filter((argument) => argument !== '--soak');

await orExplain(async () => {
  await prepare();
  // A missing program fails before the tests start. A partial run installs only what it needs.
  if (chosen.length === 0) {
    await ensureProgram('postgres');
    await ensureProgram('chromium');
  }
});

/** The counts of a run without any test. */
const NOTHING = { passed: 0, skipped: 0, flaky: [], failures: [] };
const slowness = await measureSlowness();
if (slowness > 1.5)
  say(`This machine is slow or busy: every limit of the tests is ${slowness.toFixed(1)} times as long.`);
const results = await Promise.all(
  chosen.length > 0
    ? [runVitest({ options: chosen })]
    : [...Object.entries(checks()).map(runCheck), ...runs().map(runVitest)],
);
const count = (name) => results.reduce((sum, result) => sum + result[name], 0);
const list = (name) => results.flatMap((result) => result[name]);
for (const flaky of list('flaky')) say(`passed at the second try: ${flaky}`);
for (const failure of list('failures')) say(`failed: ${failure}`);
if (count('skipped') > 0) console.log(`${count('skipped')} skipped`);
const [passed, failed] = [count('passed'), list('failures').length];
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Returns 1 to 20: one job per core, median of three rounds. */
async function measureSlowness() {
  // Milliseconds on the idle core for which the limits were chosen.
  const reference = 300;
  const job = `
    const { createHash } = require('node:crypto');
    const text = JSON.stringify(Array.from({ length: 20000 }, (_, at) => ({ at, name: 'row ' + at })));
    for (let round = 0; round < 12; round++) createHash('sha256').update(JSON.stringify(JSON.parse(text))).digest();`;
  const runJob = () => run(process.execPath, ['-e', job], { stdio: 'ignore' });
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    await Promise.all(Array.from({ length: availableParallelism() }, runJob));
    rounds.push(performance.now() - began);
  }
  rounds.sort((a, b) => a - b);
  return Math.min(20, Math.max(1, rounds[1] / reference));
}

/**
 * Two runs of equal length share the machine, because tests often wait. A worker takes files of its project only. In
 * `npm test`, the second run has one worker more than cores: most of its tests wait for a shared service.
 */
function runs() {
  const sides = soak
    ? [
        ['e2e', 'server'],
        ['server-pglite', 'server-postgres', 'unit'],
      ]
    : [
        ['e2e', 'server-postgres'],
        ['unit', 'server', 'server-pglite'],
      ];
  // A failed test is retried once and reported. The soak retries nothing.
  const retries = soak ? [] : ['--retry=1'];
  return sides.map((projects, at) => ({
    options: [...retries, ...projects.map((name) => `--project=${name}`)],
    moreWorkers: soak ? 0 : at,
  }));
}

function checks() {
  const program = (path, ...args) => [join(ROOT, 'node_modules', path), ...args];
  return {
    lint: program('oxlint/bin/oxlint'),
    // A test checks the import rules faster.
    ...(soak && { imports: program('eslint/bin/eslint.js', '.') }),
    format: program('oxfmt/bin/oxfmt', '--check'),
    unused: program('knip/bin/knip.js', '--no-progress'),
    types: program('typescript-native/bin/tsc', '-p', 'tsconfig.json'),
  };
}

function runCheck([name, args]) {
  // The native compiler and linter use a fifth less processor time when they collect garbage less often.
  const env = { ...process.env, GOGC: '400' };
  return call(process.execPath, args, { env }).then(
    () => ({ ...NOTHING, passed: 1 }),
    ({ message }) => ({ ...NOTHING, failures: [`${name}: ${message}`] }),
  );
}

async function runVitest({ options, moreWorkers = 0 }) {
  const folder = makeTestFolder({ onDisk: soak });
  const file = join(folder, 'totals.json');
  const args = [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    // CI would color a log file.
    ...(process.stdout.isTTY ? [] : ['--no-color']),
    '--reporter=default',
    `--reporter=${join(ROOT, 'scripts', 'totals-reporter.mjs')}`,
    ...options,
  ];
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    TMPDIR: folder,
    TEST_TOTALS: file,
    TEST_SLOWNESS: String(slowness),
    TEST_MORE_WORKERS: String(moreWorkers),
    ...(soak ? { TEST_SOAK: '1' } : {}),
  };
  const { status } = await run(node, args, { env, stdio: ['pipe', 'inherit', 'inherit'] });
  const totals = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { ...NOTHING, failures: [] };
  if (status !== 0 && totals.failures.length === 0)
    totals.failures.push(`vitest ended with status ${status}, and no test says why`);
  return totals;
}
