#!/usr/bin/env node
let run;
try {
  ({ run } = await import('../dist/main.js'));
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('svc: not built yet. Run `npm run build` first.');
  process.exit(70);
}
process.exitCode = await run(process.argv.slice(2));
