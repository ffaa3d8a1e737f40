// The service ends with its parent, because that closes the pipe.
import { setFlagsFromString } from 'node:v8';

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGKILL'));
// The process runs briefly, so optimized code costs more than it saves.
if (!process.env['DATABASE_URL']) setFlagsFromString('--liftoff-only');
const { main } = await import('../../packages/server/dist/run/serve.js');
await main();
