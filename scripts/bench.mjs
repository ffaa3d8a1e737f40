// Usage: docs/performance.md
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';
import { prepare } from './prerequisites/prepare.mjs';
import { orExplain, outputOf, ROOT } from './prerequisites/run.mjs';

/** Short parts run first. */
const PARTS = [
  'folding',
  'index',
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
  'by-index',
  'steady',
];

const USAGE = `usage: npm run bench [-- <part> ...]

  --write    store each table in bench/results/<part>.md

Parts: ${PARTS.join(', ')}.`;

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !PARTS.includes(name));
if (unknown.length > 0)
  wrongCall(USAGE, `There is no ${unknown.join(', ')}: choose from ${PARTS.join(', ')}.`);

const [{ model }] = cpus();
const today = new Date().toISOString().slice(0, 10);
const commit = await commitNow();
const measured = `Measured on ${today}: ${cpus().length} cores (${model.trim()}), Node.js ${process.version}, commit ${commit}.`;

await orExplain(async () => {
  await prepare();
  const { within } = await import('../bench/support/processes.mjs');
  for (const name of positionals.length > 0 ? positionals : PARTS) {
    const { measure, aim } = await import(new URL(`../bench/${name}.mjs`, import.meta.url));
    const { table, head, rows } = await within(measure);
    const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
    const report = `### ${table}\n\n${lines.join('\n')}\n\nAim: ${aim}\n\n${measured}\n`;
    console.log(`\n${report}`);
    if (values.write) writeFileSync(join(ROOT, 'bench', 'results', `${name}.md`), report);
  }
});
process.exit(0);

async function commitNow() {
  const git = (...args) => outputOf('git', args, ROOT);
  const changed = await git('status', '--porcelain', '--', '.', ':!bench/results');
  return (await git('rev-parse', '--short', 'HEAD')) + (changed === '' ? '' : ' with changes');
}
