import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { readServeArguments } = await import('../packages/server/bin/serve-arguments.mjs');
readServeArguments('npm start');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { orExplain } = await import('./prerequisites/run.mjs');
await orExplain(prepare);

// In the same process, signals reach the service directly.
const { main } = await import('../packages/server/dist/run/serve.js');
await main(process.argv.slice(2));
