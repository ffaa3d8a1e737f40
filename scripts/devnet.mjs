import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { readArguments } = await import('../packages/server/bin/arguments.mjs');
readArguments(`usage: npm run devnet

Serves the saved development chain of DATA_DIR on DEVNET_PORT, without the service. Takes no arguments.`);
const { prepare } = await import('./prerequisites/prepare.mjs');
const { orExplain } = await import('./prerequisites/run.mjs');
await orExplain(prepare);

const { main } = await import('../packages/server/dist/run/devnet.js');
await main();
