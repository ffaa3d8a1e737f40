import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../prerequisites/run.mjs';

const LATER = new URL('later.mjs', import.meta.url).href;
const TRIES = 480;

/** `daysLater` moves the service's clock but not the chain's, so anchor nothing then. */
export async function startService(folder, daysLater = 0) {
  const early = daysLater === 0 ? [] : ['--import', LATER];
  const child = spawn(process.execPath, [...early, join(ROOT, 'packages', 'server', 'bin', 'serve.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DEVNET_PORT: '0',
      ANCHOR_INTERVAL_SECONDS: '1',
      DAYS_LATER: String(daysLater),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill());
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const ended = new Promise((done) => child.once('close', done));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  for (let tries = 0; tries < TRIES && child.exitCode === null; tries++) {
    const url = /"msg":"Server listening at (http:[^"]+)"/.exec(printed)?.[1];
    if (url !== undefined && (await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return { url, stop };
    await sleep(250);
  }
  await stop();
  throw new Error(`The service did not start:\n${printed}`);
}
