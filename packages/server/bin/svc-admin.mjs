#!/usr/bin/env node
let run;
try {
  ({ run } = await import('../dist/run/admin.js'));
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('svc-admin: not built yet. Run `npm run build` first.');
  process.exit(70);
}
// Who reads the result has stopped, as `head` does. The status is that of SIGPIPE: never mistaken for a success.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});
process.exitCode = await run(process.argv.slice(2));
