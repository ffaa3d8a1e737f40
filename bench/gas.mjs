// By the number of etches in a tree, on the real contract.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAttestationData } from '../packages/protocol/dist/index.js';
import { openChainClient } from '../packages/server/dist/chain/client.js';
import { startDevnet } from '../packages/server/dist/chain/devnet/devnet.js';
import { createEasChain } from '../packages/server/dist/chain/eas.js';
import { table } from './support/report.mjs';

export async function run() {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const devnet = await startDevnet({ dataDir, port: 0, log: { info() {}, warn() {} } });
  try {
    const chain = createEasChain({
      ...devnet,
      name: 'devnet',
      rpc: openChainClient({ urls: [devnet.rpcUrl] }).anchoring,
      confirmations: 1,
      maxFeeGwei: 100,
      minesOnDemand: true,
    });
    const gasOf = async (requests) => Number(await chain.estimateGas(chain.encodeAttest(requests)));
    const request = (treeVersion, treeSize) => ({
      data: `0x${Buffer.from(encodeAttestationData({ root: randomBytes(32), kind: 0, treeVersion, treeSize })).toString('hex')}`,
      revocable: treeVersion === 0,
    });
    const rows = [];
    for (const size of [1, 10, 100, 1_000, 10_000]) {
      const gas = await gasOf([request(2, size)]);
      rows.push(['one tree', size, gas, (gas / size).toFixed(1)]);
    }
    for (const count of [1, 10, 40]) {
      const gas = await gasOf(Array.from({ length: count }, () => request(2, 10_000)));
      rows.push([
        `${count} full trees in one transaction`,
        count * 10_000,
        gas,
        (gas / count / 10_000).toFixed(2),
      ]);
    }
    for (const count of [1, 40]) {
      const gas = await gasOf(Array.from({ length: count }, () => request(0, 1)));
      rows.push([`${count} attestations of their own (scheme single)`, count, gas, (gas / count).toFixed(0)]);
    }
    table(
      'Gas on the attestation contract (with a tenth to spare)',
      ['form', 'etches', 'gas', 'gas an etch'],
      rows,
    );
  } finally {
    await devnet.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
