// The service as a process of a test: it ends with whoever started it, however that ends, for its end of the pipe closes then.
import { setFlagsFromString } from 'node:v8';

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGKILL'));
// The embedded database's code is compiled once, quickly, and not again, better: these processes do not live long.
if (!process.env['DATABASE_URL']) setFlagsFromString('--liftoff-only');
const { main } = await import('../../packages/server/dist/run/serve.js');
await main();
