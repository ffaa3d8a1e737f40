#!/usr/bin/env node
let run;
try {
  ({ run } = await import('../dist/run/admin.js'));
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('svc-admin: not built yet. Run `npm run build` first.');
  process.exit(70);
}
// The reader of the output stopped, for example `head`. The status is that of SIGPIPE, so it is never mistaken for
// success.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});
process.exitCode = await run(process.argv.slice(2));
