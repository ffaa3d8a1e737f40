#!/usr/bin/env node
import { writeSync } from 'node:fs';

let run;
try {
  ({ run } = await import('../dist/main.js'));
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('svc: not built yet. Run `npm run build` first.');
  process.exit(70);
}
// The reader of the output stopped early, like `head`. The status of SIGPIPE cannot be mistaken for a pass.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});
// Node.js ends silently with 13 if nothing can settle the command's promise. Report this defect.
let isDone = false;
process.on('exit', (status) => {
  if (isDone || (status !== 0 && status !== 13)) return;
  writeSync(
    2,
    'svc: ended before the command was done; this is a defect of svc and says nothing about an etch\n',
  );
  process.exitCode = 70;
});
process.exitCode = await run(process.argv.slice(2));
isDone = true;
