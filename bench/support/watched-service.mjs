import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/server/dist/chain/free-port.js';
import { startService } from './processes.mjs';

const PROBE = fileURLToPath(new URL('stall-probe.mjs', import.meta.url));

/** `stalled()`: longest stall since the last call, ms. */
export async function startWatchedService(settings = {}) {
  const port = await freePort('127.0.0.1');
  const service = await startService({ ...settings, STALL_PORT: String(port) }, ['--import', PROBE]);
  return { ...service, stalled: () => ask(port) };
}

function ask(port) {
  return new Promise((resolve, reject) => {
    let text = '';
    connect(port, '127.0.0.1')
      .on('data', (chunk) => (text += chunk))
      .on('end', () => resolve(Number(text)))
      .on('error', reject);
  });
}
