// docs/performance.md
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';
import { prepare } from './prerequisites/prepare.mjs';
import { orExplain, ROOT, say } from './prerequisites/run.mjs';

const ALL = [
  'folding',
  'gas',
  'create',
  'pace',
  'read',
  'processes',
  'standby',
  'discovery',
  'audit',
  'pages',
  'stalls',
  'memory',
  'idle',
  'embedded',
  'overload',
  'due',
  'steady',
];
/** Only when named. */
const LONG = ['steady-large'];
const RESULTS = join(ROOT, 'bench', 'results');

const USAGE = `usage: npm run bench [-- <part> ...]
       npm run bench -- compare <commit> [<part> ...]

  --json     print the figures as JSON
  --write    store the tables in bench/results/<part>.json
  --rounds   rounds of a comparison; default 3

Parts: ${ALL.join(', ')}; only when named: ${LONG.join(', ')}.`;

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
const compares = positionals[0] === 'compare';
const [commit, ...parts] = compares ? positionals.slice(1) : [undefined, ...positionals];
const rounds = Number(values.rounds);
const unknown = parts.filter((name) => ![...ALL, ...LONG].includes(name));
const chosen = parts.length > 0 ? parts : ALL;
const wrong =
  unknown.length > 0
    ? `There is no ${unknown.join(', ')}: choose from ${[...ALL, ...LONG].join(', ')}.`
    : compares && commit === undefined
      ? 'Compare with which commit? npm run bench -- compare <commit> [parts] [--rounds 3]'
      : !(Number.isInteger(rounds) && rounds > 0)
        ? '--rounds is a number of rounds, 1 at least.'
        : compares && values.write
          ? '--write stores measurements, not comparisons: leave it out.'
          : undefined;
if (wrong !== undefined) wrongCall(USAGE, wrong);

const measured = {
  on: new Date().toISOString().slice(0, 10),
  cores: cpus().length,
  processor: cpus()[0]?.model.trim(),
  node: process.version,
  commit: commitNow(),
};

await orExplain(async () => {
  await prepare();
  const { asJson, takeReport } = await import('../bench/support/report.mjs');
  /** A later failure loses nothing. */
  const keep = (part) => {
    const report = takeReport();
    if (!values.write) return;
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, `${part}.json`), `${JSON.stringify({ measured, ...report }, null, 1)}\n`);
    say(`bench/results/${part}.json is written.`);
  };
  if (values.json) asJson();
  else
    console.log(
      `## Measured on ${measured.cores} cores (${measured.processor}), Node ${measured.node}, commit ${measured.commit}\n`,
    );
  if (compares) {
    const { compare } = await import('../bench/compare/compare.mjs');
    await compare({ commit, rounds, ...(parts.length > 0 && { parts }) });
    return;
  }
  for (const name of chosen) {
    const { run } = await import(
      new URL(name === 'discovery' ? '../bench/discovery/index.mjs' : `../bench/${name}.mjs`, import.meta.url)
    );
    await run();
    keep(name);
  }
});
process.exit(0);

function commitNow() {
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short', 'HEAD');
  if (status !== 0) return undefined;
  const changed = git('status', '--porcelain', '--', '.', ':!bench/results').stdout.trim();
  return stdout.trim() + (changed === '' ? '' : ' with changes');
}
