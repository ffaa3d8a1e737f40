import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bytesToHex,
  buildTree,
  canonicalString,
  etchHash,
  etchLeaf,
  LEAF_RULES,
  NODE_RULE,
} from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { overall } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { blockHashes, noBlocks, rpcBlocks, verifyEvidence } from '@svc/verifier/evidence';
import { beforeAll, expect, test } from 'vitest';
import { AT_FULL_COUNT } from '../../../testing/rounds.ts';
import { attestationData, receiptOf, toTime, useRealEas, userId } from './support/anchored-receipts.ts';
import { blockOf, EvidenceMaker } from './support/make-evidence.ts';

// Every type of transaction: server, e2e.
const ATTESTED = '0x8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35';
const REVOKED = '0xf930a6e2523c9cc298691873087a740550b8fc85a0680830414c148ed927f615';

const real = useRealEas();
let trust: Trust;
let maker: EvidenceMaker;
beforeAll(() => {
  maker = new EvidenceMaker(real.eas.url, real.eas.contract);
  const { chainId, contract, schemaUid, relayers } = real.trust;
  trust = {
    chainId,
    contract: contract.toLowerCase(),
    schemaUid: schemaUid.toLowerCase(),
    relayers: relayers.map((relayer) => relayer.toLowerCase()),
  };
});

async function amongOthers<T>(others: number, work: () => Promise<T>): Promise<T> {
  await maker.ask('evm_setAutomine', false);
  const accounts = await maker.ask<string[]>('eth_accounts');
  const send = (at: number) =>
    maker.ask('eth_sendTransaction', {
      from: accounts[at % accounts.length],
      to: accounts[(at + 1) % accounts.length],
      value: '0x1',
      gas: '0x7530',
      // Some pay more than the attestation and some less, so it lands between them.
      ...[
        { gasPrice: '0x2540be400' },
        { gasPrice: '0x2540be401', accessList: [] },
        { maxFeePerGas: '0x12a05f200', maxPriorityFeePerGas: at % 2 === 0 ? '0x1' : '0x77359400' },
      ][at % 3],
    });
  for (let at = 0; at < others; at++) await send(at);
  const done = work();
  const pending = async () => Number((await maker.ask<{ pending: string }>('txpool_status')).pending);
  await expect.poll(pending).toBe(others + 1);
  await maker.ask('evm_mine');
  const result = await done;
  await maker.ask('evm_setAutomine', true);
  return result;
}

async function anchored(tree: boolean, others: number): Promise<Receipt> {
  const now = Number(
    (await maker.ask<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)).timestamp,
  );
  const createdAt = toTime(now - 3).replace('.000Z', '.123Z');
  const canonical = canonicalString({ userId, createdAt, salt: 'cd'.repeat(32), content: `among ${others}` });
  const hash = etchHash(canonical);
  const leaves = [hash, 'ab'.repeat(32), 'cd'.repeat(32)].map((one) => etchLeaf(2, userId, one));
  const { root, proofs } = buildTree(leaves);
  const top = tree ? bytesToHex(root) : hash;
  const { uid, time } = await amongOthers(others, () =>
    real.eas.attest(attestationData(top, 0, tree ? 2 : 0, tree ? 3 : 1), !tree),
  );
  const inclusion = tree
    ? {
        root: top,
        proof: proofs[0]!.map(bytesToHex),
        tree_size: 3,
        tree_version: 2 as const,
        leaf_rule: LEAF_RULES[2],
        node_rule: NODE_RULE,
      }
    : null;
  return receiptOf(trust, { canonical, hash, inclusion, attested: top, uid, time });
}

const evidenceOf = async (receipt: Receipt) => {
  const { revocation, chain } = receipt;
  const commitment = await maker.attestationProof(ATTESTED, chain.attestation_uid!);
  const tombstone =
    revocation === null
      ? null
      : revocation.kind === 1
        ? await maker.attestationProof(ATTESTED, revocation.attestation_uid!)
        : await maker.logProof(REVOKED, chain.attestation_uid!);
  const blocks = [commitment, tombstone].filter((proof) => proof !== null).map(blockOf);
  return { evidence: { _format: 'svc-evidence:v1', receipt, commitment, tombstone }, blocks };
};
type Made = Awaited<ReturnType<typeof evidenceOf>>;

async function passes({ evidence, blocks }: Made, badges: string[], name: string): Promise<void> {
  const by = [blockHashes(blocks), rpcBlocks(real.eas.chainId, { urls: [real.eas.url] })];
  for (const source of by) {
    const found = await verifyEvidence(evidence, trust, source);
    expect([overall(found), ...found.checks.map(({ badge }) => badge)]).toEqual(['pass', ...badges]);
    expect(found.checks[2].detail).toContain('cannot show that no revocation came later');
  }
  const alone = await verifyEvidence(evidence, trust, noBlocks);
  expect([overall(alone), alone.checks[2].badge]).toEqual(['wait', 'unreachable']);
  const elsewhere = await verifyEvidence(evidence, trust, blockHashes([`0x${'12'.repeat(32)}`]));
  expect(overall(elsewhere)).toBe('fail');
  if (process.env['WRITE_VECTORS'] !== '1' || !name.endsWith('-20')) return;
  const { chainId: chain_id, contract, schemaUid: schema_uid, relayers } = trust;
  const vector = {
    about: name.replaceAll('-', ' '),
    evidence,
    trust: { chain_id, contract, schema_uid, relayers },
    block_hashes: blocks,
    expect: badges,
  };
  const folder = join(import.meta.dirname, '../../../vectors/valid');
  writeFileSync(join(folder, `evidence-${name}.json`), `${JSON.stringify(vector, null, 1)}\n`);
}

test.each(AT_FULL_COUNT ? [0, 1, 20, 140] : [0, 20])(
  'proves a tree and its tombstone in blocks with 2 × %i other transactions',
  async (others) => {
    const receipt = await anchored(true, others);
    await passes(await evidenceOf(receipt), ['match', 'included', 'attested'], `tree-among-${others}`);
    const { root, proof, tree_size, tree_version } = receipt.inclusion!;
    const { uid, time } = await amongOthers(others, () =>
      real.eas.attest(attestationData(root, 1, 2, 3), false),
    );
    const retracted: Receipt = {
      ...receipt,
      ...{ status: 'retracted', canonical_string: null },
      revocation: {
        root,
        proof,
        tree_size,
        tree_version,
        kind: 1,
        retracted_at: toTime(time),
        attestation_uid: uid,
        tx_hash: null,
      },
    };
    const made = await evidenceOf(retracted);
    await passes(made, ['erased', 'included', 'revoked'], `tree-retracted-among-${others}`);
    // One of the two blocks is not enough.
    const half = await verifyEvidence({ ...made.evidence, tombstone: null }, trust, blockHashes(made.blocks));
    expect(overall(half)).toBe('wait');
  },
);

test.each(AT_FULL_COUNT ? [3, 20] : [3])(
  'proves an attestation without a tree and its revocation in blocks with 2 × %i other transactions',
  async (others) => {
    const receipt = await anchored(false, others);
    await passes(await evidenceOf(receipt), ['match', 'direct', 'attested'], `single-among-${others}`);
    const uid = receipt.chain.attestation_uid!;
    const time = await amongOthers(others, () => real.eas.revoke(uid as `0x${string}`));
    const revocation = { retracted_at: toTime(time), attestation_uid: uid, tx_hash: null, kind: null };
    const retracted: Receipt = { ...receipt, status: 'retracted', canonical_string: null, revocation };
    await passes(
      await evidenceOf(retracted),
      ['erased', 'direct', 'revoked'],
      `single-retracted-among-${others}`,
    );
  },
);
