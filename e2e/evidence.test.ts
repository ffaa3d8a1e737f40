// Runs in the soak only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, svc } from '../testing/clients/svc.ts';
import { startChain, type TestChain } from '../testing/chain/anvil.ts';
import { newSender, sendOther, TYPES } from '../testing/chain/among-others.ts';
import type { Json } from '../testing/json.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { startService } from '../testing/system/service-process.ts';
import { ends, jsonOf } from '../testing/clients/ends.ts';

let chain: TestChain;
const done = new AbortController();
let others: Promise<void>;
beforeAll(async () => {
  chain = await startChain();
  await chain.mineEvery(0);
  others = mineAmongOthers();
});
afterAll(async () => {
  done.abort();
  await others;
  await chain.stop();
});

async function mineAmongOthers(): Promise<void> {
  const call = (method: string, ...params: unknown[]) => chain.rpc(method, ...params);
  const senders = [await newSender(call), await newSender(call)];
  while (!done.signal.aborted) {
    for (const at of TYPES.keys()) await sendOther(call, senders[at % 2]!, senders[1]!, at);
    await chain.mine();
    await sleep(1_000);
  }
}

async function evidenceOf(scheme: string): Promise<{ home: string; files: string[]; trust: string }> {
  const port = String(await lastingPort());
  const url = `http://127.0.0.1:${port}`;
  const relayer = await chain.newRelayer();
  const service = await startService({
    PORT: port,
    DATA_DIR: newFolder('data'),
    ANCHOR_INTERVAL_SECONDS: '1',
    ANCHOR_SCHEME: scheme,
    CHAIN_RPC_URL: chain.rpcUrl,
    RELAYER_PRIVATE_KEY: relayer.key,
    ANCHOR_CONFIRMATIONS: '2',
    ATTESTATION_CONTRACT: chain.contract,
    SCHEMA_UID: chain.schemaUid,
  });
  const home = freshHome();
  const run = async (...args: string[]) => {
    const { status, out, err } = await svc(args, { home, env: { SVC_BASE_URL: url } });
    expect({ args, status, err: status === 0 ? '' : err }).toEqual({ args, status: 0, err: '' });
    return out;
  };
  try {
    await run('register', '--name', 'Checker');
    const etched = ['It will rain.', 'It will not.'].map(async (text) => {
      const args = ['--description', 'Weather', '--topic', 'science', '--wait', '--json'];
      return (JSON.parse(await run('etch', text, ...args)) as { etch: { id: string } }).etch.id;
    });
    const [stands, retracted] = await Promise.all(etched);
    await run('retract', retracted!, '--yes');
    const files = ['stands', 'retracted'].map((name) => join(home, `${scheme}-${name}.json`));
    await run('evidence', stands!, '--out', files[0]!, '--timeout', '120');
    await run('evidence', retracted!, '--out', files[1]!, '--timeout', '120');
    const trust = join(home, 'svc.json');
    const published = await fetch(`${url}/.well-known/svc.json`);
    writeFileSync(trust, await published.text());
    return { home, files, trust };
  } finally {
    await service.stop();
  }
}

test.each(['tree-v2', 'single'])(
  '%s: what stands and what was retracted passes without a network, by the hashes of blocks that hold others’ transactions',
  async (scheme) => {
    const { home, files, trust } = await evidenceOf(scheme);
    for (const file of files) {
      const { receipt } = JSON.parse(readFileSync(file, 'utf8'));
      const verify = (...args: string[]) =>
        svc(['verify', file, '--trust', trust, ...args], { home, network: false });
      const { evidence } = await jsonOf(verify('--json'), 2);
      const hashes: string[] = [];
      for (const { number } of evidence.blocks as { number: number }[]) {
        const block = await chain.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
        expect(new Set(block.transactions.map((tx: Json) => tx.type)).size).toBeGreaterThan(1);
        hashes.push('--block-hash', block.hash);
      }
      expect(hashes).toHaveLength(receipt.status === 'retracted' ? 4 : 2);
      await ends(verify(...hashes), 0, { out: 'PASS: the receipt holds by its evidence' });
    }
  },
);
