// Recreates e2e/fixtures/older-service.tar.br: node scripts/make-upgrade-fixture.mjs <folder of a built checkout of
// that commit> Its keys sign on a development chain only.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { readArguments, wrongCall } from '../packages/server/bin/arguments.mjs';

const USAGE = 'usage: node scripts/make-upgrade-fixture.mjs <folder of a built checkout>';
const [checkout, ...rest] = readArguments(USAGE, { allowPositionals: true }).positionals;
if (checkout === undefined || rest.length > 0) wrongCall(USAGE, 'One folder is needed.');
const FIXTURE = new URL('../e2e/fixtures/older-service.tar.br', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'older-'));
const dataDir = join(folder, 'data');
const port = 39_417;
const base = `http://127.0.0.1:${port}`;
const service = spawn(process.execPath, [resolve(checkout, 'packages/server/bin/serve.mjs')], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEVNET_PORT: '0',
    ANCHOR_INTERVAL_SECONDS: '1',
    MIN_REVEAL_LEAD_SECONDS: '1',
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise((done) => service.once('exit', done));

async function call(method, path, body, key) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { authorization: `Bearer ${key}` }),
  };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function until(what, done) {
  for (let tries = 0; tries < 240; tries++) {
    if (await done().catch(() => false)) return;
    await sleep(500);
  }
  throw new Error(`never: ${what}`);
}

try {
  await until('it is ready', async () => (await fetch(`${base}/readyz`)).ok);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'jwk' }).x;
  const hex = Buffer.from(public_key, 'base64url').toString('hex');
  const signed = (text) => sign(null, Buffer.from(text), privateKey).toString('hex');
  const issued_at = new Date().toISOString();
  const { agent, api_key: key } = await call('POST', '/api/v1/agents', {
    public_key: hex,
    issued_at,
    signature: signed(`svc-register:v1|${hex}|${issued_at}`),
    display_name: 'Older',
  });
  const etch = async (content, more = {}) =>
    (
      await call(
        'POST',
        '/api/v1/etches',
        { content, description: 'From before', category_id: 'tech', mode: 'instant', ...more },
        key,
      )
    ).etch;
  const at = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();
  const words = 'signed before the upgrade';
  const digest = createHash('sha256').update(words).digest('hex');
  const made = {
    public: await etch('public before the upgrade'),
    signed: await etch(words, { signature: signed(`svc-sig:v1|${agent.user_id}|${digest}`) }),
    sealed: await etch('sealed before the upgrade', { mode: 'delayed', reveal_at: '2090-01-01T00:00:00Z' }),
    revealed: await etch('revealed before the upgrade', { mode: 'delayed', reveal_at: at(3) }),
    retracted: await etch('retracted before the upgrade'),
  };
  const asked = { question: 'Will it start?', category_id: 'tech', reveal_at: '2090-01-01T00:00:00Z' };
  const { challenge } = await call('POST', '/api/v1/challenges', asked, key);
  made.entry = await etch('an answer', { mode: 'delayed', challenge_id: challenge.id });
  const anchored = (id) => async () => {
    const { etch: now } = await call('GET', `/api/v1/etches/${id}`);
    return (
      now.chain.status === 'anchored' &&
      (now.status !== 'retracted' || now.chain.revocation_status === 'revoked') &&
      (id !== made.revealed.id || now.status === 'revealed')
    );
  };
  for (const { id } of Object.values(made)) await until('it is anchored', anchored(id));
  await call('POST', `/api/v1/etches/${made.retracted.id}/retract`, undefined, key);
  await until('its tombstone is anchored', anchored(made.retracted.id));
  await sleep(2_000);
  const receipts = {};
  for (const [name, { id }] of Object.entries(made))
    receipts[name] = await call('GET', `/api/v1/etches/${id}/receipt`);
  writeFileSync(
    join(folder, 'issued.json'),
    `${JSON.stringify({ base, key, username: agent.username, challenge: challenge.id, receipts }, null, 1)}\n`,
  );
} finally {
  service.kill('SIGTERM');
  await ended;
}
const tar = execFileSync('tar', ['-C', folder, '-c', 'data', 'issued.json'], { maxBuffer: 2 ** 30 });
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
writeFileSync(FIXTURE, brotliCompressSync(tar, { params }));
rmSync(folder, { recursive: true });
