// Runs in the soak only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '@svc/protocol';
import { createClient, generateKeyPair } from '@svc/sdk';
import type { Client, Etched } from '@svc/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshHome, svc } from '../testing/clients/svc.ts';
import { type LyingService, startLyingService } from '../testing/system/lying-service.ts';
import { useRunningService } from '../testing/system/running-service.ts';

// A forger runs a real service with its own chain and relayer. A reader who pinned the honest service never gets
// exit status 0.
const honest = useRunningService();
const forger = useRunningService();
const home = freshHome();
const pins = join(home, 'svc', 'trust.json');

interface Made extends Etched {
  client: Client;
  username: string;
  receipt: Receipt;
}
let own: Made;
let forged: Made;

async function make(baseUrl: string): Promise<Made> {
  const keyPair = generateKeyPair();
  const stranger = createClient({ baseUrl });
  const { agent, apiKey } = await stranger.registerAgent(keyPair);
  const client = stranger.as(apiKey);
  const made = await client.etch(
    {
      content: 'The bridge opens in May.',
      description: 'A bridge',
      category_id: 'business',
      mode: 'instant',
    },
    { sign: keyPair },
  );
  await client.waitForAnchored(made.etch.id, { timeoutMs: 120_000 });
  return { ...made, client, username: agent.username, receipt: await client.receipt(made.etch.id) };
}

let files = 0;
function save(value: unknown): string {
  const path = join(home, `${files++}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
}
const run = (args: string[], baseUrl = honest.url) => svc(args, { home, env: { SVC_BASE_URL: baseUrl } });
async function refused(args: string[], baseUrl?: string): Promise<number> {
  const before = readFileSync(pins, 'utf8');
  const { status, out, err } = await run(args, baseUrl);
  expect([1, 2], `${args.join(' ')}\n${out}${err}`).toContain(status);
  expect(out).not.toContain('PASS: ');
  expect(readFileSync(pins, 'utf8')).toBe(before);
  return status!;
}
const names = (receipt: Receipt, origin: string, chain: Partial<Receipt['chain']> = {}): Receipt => ({
  ...receipt,
  _verify_without_etch: `${origin}/verify`,
  chain: { ...receipt.chain, ...chain },
});

beforeAll(async () => {
  [own, forged] = await Promise.all([make(honest.url), make(forger.url)]);
  expect(forged.receipt.chain.relayer).not.toBe(own.receipt.chain.relayer);
  expect(await run(['trust', honest.url])).toMatchObject({ status: 0 });
});

test('the honest service’s receipts pass, as a control', async () => {
  const ran = await run(['verify', save(own.receipt)]);
  expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
  expect(ran.out).toMatch(/\nPASS: the receipt holds\./);
});

describe('a receipt of the forger', () => {
  test('that names the forger’s origin passes nothing, nor does a second one', async () => {
    for (let time = 0; time < 2; time++) expect(await refused(['verify', save(forged.receipt)])).toBe(2);
    expect(await refused(['verify', `${forger.url}/e/${forged.etch.id}`])).toBe(2);
    expect(await refused(['verify', forged.etch.id, '--base-url', forger.url])).toBe(2);
  });

  test('fails or is unknown to the chain when it is rewritten to name the honest origin', async () => {
    expect(await refused(['verify', save(names(forged.receipt, honest.url))])).toBe(1);
    const { relayer } = own.receipt.chain;
    expect(await refused(['verify', save(names(forged.receipt, honest.url, { relayer }))])).toBe(2);
  });

  test('does not pass with the honest values and the forger’s endpoint', async () => {
    const { chain_id, attestation_contract, schema_uid, relayer } = own.receipt.chain;
    const posing = names(forged.receipt, forger.url, { chain_id, attestation_contract, schema_uid, relayer });
    const flags = [
      ...['--relayer', relayer, '--contract', attestation_contract],
      ...['--schema', schema_uid, '--chain-id', String(chain_id)],
    ];
    expect(await refused(['verify', save(posing), ...flags])).toBe(1);
    expect(await refused(['verify', save(posing), '--rpc', `${forger.url}/rpc`, ...flags])).toBe(1);
    // Correct, but read from an endpoint that only the forger names.
    expect(await refused(['verify', save(names(own.receipt, forger.url)), ...flags])).toBe(2);
    expect(await refused(['verify', save(forged.receipt), '--relayer', forged.receipt.chain.relayer])).toBe(
      2,
    );
  });

  test('passes nothing in the SDK and the MCP tool either', async () => {
    const found = await createClient({ baseUrl: forger.url }).verify(forged.etch.id);
    expect(found).toMatchObject({ result: 'wait', trust: { pinned: false } });
    const { trust } = await createClient({ baseUrl: honest.url }).facts();
    const rpcUrls = [`${forger.url}/rpc`];
    const judged = await createClient({ baseUrl: forger.url }).verify(forged.etch.id, { trust, rpcUrls });
    expect(judged.result).toBe('fail');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const answer = await fetch(`${forger.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, params: { name: 'verify', arguments: { id: forged.etch.id } } }),
    });
    const told = JSON.parse((await answer.json()).result.content[0].text);
    expect(told).toMatchObject({ result: 'wait', trust: { source: 'service', pinned: false } });
  });
});

test('an audit of the forger’s service proves nothing', async () => {
  expect(await refused(['audit', forged.username, '--base-url', forger.url])).toBe(2);
  expect(await refused(['audit', '--all', '--base-url', forger.url])).toBe(2);
});

describe('swapped promises', () => {
  test('prove nothing in either direction', async () => {
    const swapped = save(forged.promise);
    expect(await refused(['verify', own.etch.id, '--promise', swapped])).toBe(2);
    expect(await refused(['verify', save(own.receipt), '--promise', swapped])).toBe(2);
    expect(await refused(['verify', '--promise', swapped, '--base-url', forger.url])).toBe(2);
    // The forger's 404 does not break a different service's promise.
    const ran = await run(['verify', '--promise', save(own.promise), '--base-url', forger.url]);
    expect(ran).toMatchObject({ status: 2 });
    const kept = await run(['verify', '--promise', save(own.promise)]);
    expect(kept, kept.out + kept.err).toMatchObject({ status: 0 });
    expect(kept.out).toContain('PASS  The promise: kept');
  });
});

describe('a service that changes after it was pinned', () => {
  let front: LyingService;
  beforeAll(async () => {
    front = await startLyingService(honest.url);
  });
  afterAll(() => front.stop());

  test('is rejected by the pin, which shows the change', async () => {
    const origin = front.url;
    expect(await run(['trust', origin])).toMatchObject({ status: 0 });
    expect(await run(['verify', own.etch.id], origin)).toMatchObject({ status: 0 });
    front.real = forger.url;
    const became = `became ${forged.receipt.chain.relayer}`;
    const shown = await run(['verify', forged.etch.id], origin);
    expect(shown.status).toBe(1);
    expect(shown.out).toContain(became);
    expect(await refused(['verify', save(names(forged.receipt, origin))])).toBe(1);
    const { relayer } = own.receipt.chain;
    expect(await refused(['verify', save(names(forged.receipt, origin, { relayer }))])).toBe(2);
    await refused(['audit', forged.username], origin);
    const again = await run(['trust', origin]);
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.err).toContain(became);
    expect(await run(['register'], origin)).toMatchObject({ status: 1, out: '' });
    await refused(['verify', forged.etch.id], origin);
  });
});
