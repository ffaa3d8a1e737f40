// Runs the service as a test's child process. It ends when its parent ends in any way, because its end of the pipe closes then.
import { setFlagsFromString } from 'node:v8';

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGKILL'));
// Compile the embedded database once, without optimizing: these processes run only briefly.
if (!process.env['DATABASE_URL']) setFlagsFromString('--liftoff-only');
const { main } = await import('../../packages/server/dist/run/serve.js');
await main();
