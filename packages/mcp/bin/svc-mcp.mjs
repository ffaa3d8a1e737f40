#!/usr/bin/env node
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.env);
