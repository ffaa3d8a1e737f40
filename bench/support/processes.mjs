import { fork, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/server/dist/chain/free-port.js';

const SERVER = new URL('../../packages/server/dist/main.js', import.meta.url).href;

/** High limits. */
export async function startService(settings = {}, nodeArgs = []) {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const port = await freePort('127.0.0.1');
  const many = '1000000000';
  const child = spawn(
    process.execPath,
    [...nodeArgs, '-e', `import(${JSON.stringify(SERVER)}).then((m) => m.main())`],
    {
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        DEVNET_PORT: '0',
        LOG_LEVEL: 'warn',
        LIMIT_KEY_PER_MINUTE: many,
        LIMIT_ANON_PER_MINUTE: many,
        LIMIT_REGISTRATIONS_PER_HOUR: many,
        LIMIT_ETCHES_KEYPAIR: many,
        SECRET_KEYS: randomBytes(32).toString('hex'),
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.ok) break;
    if (tries > 300 || child.exitCode !== null) throw new Error('the service does not get ready');
    await sleep(100);
  }
  return {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns API keys. */
export async function registerAgents(port, count) {
  const keys = [];
  for (let index = 0; index < count; index++) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('hex');
    const issuedAt = new Date().toISOString();
    const signature = sign(null, Buffer.from(`svc-register:v1|${key}|${issuedAt}`), privateKey).toString(
      'hex',
    );
    const answer = await post(port, '/api/v1/agents', { public_key: key, issued_at: issuedAt, signature });
    keys.push(answer.api_key);
  }
  return keys;
}

export async function post(port, path, body, key) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** One job at a time. */
export function startLoad() {
  const child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)));
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        child.once('message', (result) => (result.error ? reject(new Error(result.error)) : resolve(result)));
        child.send(job);
      }),
    pid: child.pid,
    stop: () => child.kill(),
  };
}
