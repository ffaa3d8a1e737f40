// `npm run bench`, or some of it: `npm run bench -- folding gas`. Every figure stands beside another of the same run.
import { cpus } from 'node:os';
import { prepare } from './prerequisites/prepare.mjs';

const ALL = ['folding', 'gas', 'create', 'read', 'discovery', 'audit', 'pages'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}: choose from ${ALL.join(', ')}.`);
  process.exit(1);
}

await prepare();
console.log(`## Measured on ${cpus().length} cores, Node ${process.version}\n`);
for (const name of asked.length > 0 ? asked : ALL) {
  const { run } = await import(
    new URL(name === 'discovery' ? '../bench/discovery/index.mjs' : `../bench/${name}.mjs`, import.meta.url)
  );
  await run();
}
process.exit(0);
