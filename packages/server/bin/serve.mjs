#!/usr/bin/env node
// Containers start this file. It needs a build; `npm start` installs and builds first.
import { readServeArguments } from './serve-arguments.mjs';

readServeArguments('node packages/server/bin/serve.mjs');
const { main } = await import('../dist/run/serve.js');
await main(process.argv.slice(2));
