#!/usr/bin/env node
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.env, process.argv.slice(2));
