// `npm run bench`, or some of it: `npm run bench -- folding gas`. Every figure stands beside another of the same run.
// `npm run bench -- compare <commit>` runs that commit and this tree in turns. `--json` prints the figures for machines.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { prepare } from './prerequisites/prepare.mjs';
import { orExplain } from './prerequisites/run.mjs';

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
  'overload',
  'due',
  'steady',
];
/** Those that only run when they are named. */
const LONG = ['steady-large'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '3' } },
});
const compares = positionals[0] === 'compare';
const [commit, ...parts] = compares ? positionals.slice(1) : [undefined, ...positionals];
const rounds = Number(values.rounds);
const unknown = parts.filter((name) => ![...ALL, ...LONG].includes(name));
const wrong =
  unknown.length > 0
    ? `There is no ${unknown.join(', ')}: choose from ${[...ALL, ...LONG].join(', ')}.`
    : compares && commit === undefined
      ? 'Compare with which commit? npm run bench -- compare <commit> [parts] [--rounds 3]'
      : !(Number.isInteger(rounds) && rounds > 0)
        ? '--rounds is a number of rounds, 1 at least.'
        : undefined;
if (wrong !== undefined) {
  console.error(wrong);
  process.exit(1);
}

await orExplain(async () => {
  await prepare();
  const { asJson } = await import('../bench/support/report.mjs');
  if (values.json) asJson();
  else console.log(`## Measured on ${cpus().length} cores, Node ${process.version}\n`);
  if (compares) {
    const { compare } = await import('../bench/compare/compare.mjs');
    await compare({ commit, rounds, ...(parts.length > 0 && { parts }) });
    return;
  }
  for (const name of parts.length > 0 ? parts : ALL) {
    const { run } = await import(
      new URL(name === 'discovery' ? '../bench/discovery/index.mjs' : `../bench/${name}.mjs`, import.meta.url)
    );
    await run();
  }
});
process.exit(0);
