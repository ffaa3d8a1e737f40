// Runs the service as a test's child process. It ends when its parent ends, because that closes the pipe.
import { setFlagsFromString } from 'node:v8';

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGKILL'));
// Compile the embedded database without optimizing: the process runs only briefly.
if (!process.env['DATABASE_URL']) setFlagsFromString('--liftoff-only');
const { main } = await import('../../packages/server/dist/run/serve.js');
await main();
