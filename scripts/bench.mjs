// Usage: docs/performance.md
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';
import { prepare } from './prerequisites/prepare.mjs';
import { orExplain, outputOf, ROOT, say } from './prerequisites/run.mjs';

/** Short parts run first. */
const PARTS = [
  'folding',
  'create',
  'pace',
  'read',
  'processes',
  'stalls',
  'idle',
  'embedded',
  'overload',
  'due',
  'discovery',
  'audit',
  'steady',
];

const USAGE = `usage: npm run bench [-- <part> ...]

  --write    store the tables in bench/results/<part>.json

Parts: ${PARTS.join(', ')}.`;

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !PARTS.includes(name));
if (unknown.length > 0)
  wrongCall(USAGE, `There is no ${unknown.join(', ')}: choose from ${PARTS.join(', ')}.`);

const [{ model }] = cpus();
const measured = {
  on: new Date().toISOString().slice(0, 10),
  cores: cpus().length,
  processor: model.trim(),
  node: process.version,
  commit: await commitNow(),
};

await orExplain(async () => {
  await prepare();
  const { within } = await import('../bench/support/processes.mjs');
  console.log(
    `## Measured on ${measured.cores} cores (${measured.processor}), Node ${measured.node}, commit ${measured.commit}`,
  );
  for (const name of positionals.length > 0 ? positionals : PARTS) {
    const { measure, aim } = await import(new URL(`../bench/${name}.mjs`, import.meta.url));
    const { table, head, rows } = await within(measure);
    const notes = [`Aim: ${aim}`];
    const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
    console.log(`\n### ${table}\n\n${lines.join('\n')}\n\n${notes[0]}`);
    if (!values.write) continue;
    const report = JSON.stringify({ measured, tables: [{ table, head, rows }], notes }, null, 1);
    writeFileSync(join(ROOT, 'bench', 'results', `${name}.json`), `${report}\n`);
    say(`bench/results/${name}.json is written.`);
  }
});
process.exit(0);

async function commitNow() {
  const git = (...args) => outputOf('git', args, ROOT);
  const commit = await git('rev-parse', '--short', 'HEAD');
  const changed = await git('status', '--porcelain', '--', '.', ':!bench/results');
  return commit && commit + (changed === '' ? '' : ' with changes');
}
