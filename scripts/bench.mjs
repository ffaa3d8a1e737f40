// `npm run bench`, or some of it: `npm run bench -- folding gas`. Every figure stands beside another of the same run.
// `npm run bench -- compare <commit>` runs that commit and this tree in turns. `--json` prints the figures for machines, `--write`
// puts them into docs/performance.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { withFigures, withoutPlace } from '../bench/support/written.mjs';
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
  'embedded',
  'overload',
  'due',
  'steady',
];
/** Those that only run when they are named. */
const LONG = ['steady-large'];
const PAGE = join(ROOT, 'docs', 'performance.md');

const USAGE = `usage: npm run bench [-- <part> ...]
       npm run bench -- compare <commit> [<part> ...]

  --json     print the figures as JSON
  --write    put the tables into docs/performance.md
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
const homeless = values.write
  ? withoutPlace(readFileSync(PAGE, 'utf8'), compares ? ['compare'] : chosen)
  : [];
const wrong =
  unknown.length > 0
    ? `There is no ${unknown.join(', ')}: choose from ${[...ALL, ...LONG].join(', ')}.`
    : compares && commit === undefined
      ? 'Compare with which commit? npm run bench -- compare <commit> [parts] [--rounds 3]'
      : !(Number.isInteger(rounds) && rounds > 0)
        ? '--rounds is a number of rounds, 1 at least.'
        : values.json && values.write
          ? '--write puts tables into a page, and --json prints none: choose one of them.'
          : homeless.length > 0
            ? `docs/performance.md has no place for ${homeless.join(', ')}: put <!-- bench: ${homeless[0]} --> and, below, <!-- bench: end --> where its tables belong.`
            : undefined;
if (wrong !== undefined) wrongCall(USAGE, wrong);

const processor = cpus()[0]?.model.trim();
const where = `on ${cpus().length} cores${processor ? ` (${processor})` : ''}, Node ${process.version}`;

await orExplain(async () => {
  await prepare();
  const { asJson, takeSaid } = await import('../bench/support/report.mjs');
  /** At once: what was measured for an hour is not lost to what comes after it. */
  const keep = (part) => {
    const text = takeSaid();
    if (!values.write) return;
    const measured = `Measured on ${new Date().toISOString().slice(0, 10)} ${where}${atCommit()}.`;
    writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), part, `${measured}\n\n${text}`));
    const program = join(ROOT, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
    spawnSync(process.execPath, [program, PAGE], { cwd: ROOT, stdio: 'inherit' });
    say(`docs/performance.md: ${part} is written.`);
  };
  if (values.json) asJson();
  else console.log(`## Measured ${where}\n`);
  if (compares) {
    const { compare } = await import('../bench/compare/compare.mjs');
    await compare({ commit, rounds, ...(parts.length > 0 && { parts }) });
    keep('compare');
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

function atCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) return '';
  // The page itself changes as parts are written into it.
  const changed = spawnSync('git', ['status', '--porcelain', '--', '.', ':!docs/performance.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).stdout.trim();
  return `, commit ${stdout.trim()}${changed === '' ? '' : ' and changes on it'}`;
}
