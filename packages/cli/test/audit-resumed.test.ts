import { join } from 'node:path';
import { buildTree, bytesToHex, encodeAttestationData, etchLeaf } from '@svc/protocol';
import type { Client } from '@svc/sdk';
import type { OnchainAttestation, RecordedEtch } from '@svc/verifier';
import { expect, test } from 'vitest';
import { auditAll } from '../src/audit/audit-all.ts';
import { loadState, newState, saveState } from '../src/audit/audit-state.ts';
import { emptyChainSide } from '../src/audit/chain-side.ts';
import type { AuditJob } from '../src/audit/job.ts';
import { auditResult } from '../src/audit/print-audit.ts';
import { freshHome } from './support/svc.ts';

// An audit of a whole service that is cut off between its steps, with a service and a chain that change meanwhile.
const ADA = '11111111-1111-4111-8111-111111111111';
const RELAYER = `0x${'ab'.repeat(20)}`;
const ORIGIN = 'http://svc.test';
const hashOf = (value: number) => value.toString(16).padStart(64, '0');
const uidOf = (value: number) => `0x${hashOf(value)}`;

/** One etch alone in its tree, as the chain, the batches and the record show it. */
function anchored(number: number) {
  const hash = hashOf(number);
  const { root } = buildTree([etchLeaf(2, ADA, hash)]);
  const attestation: OnchainAttestation = {
    uid: uidOf(number),
    schema: uidOf(999),
    attester: RELAYER,
    time: 1_800_000_000,
    revocationTime: 0,
    data: `0x${bytesToHex(encodeAttestationData({ root, kind: 0, treeVersion: 2, treeSize: 1 }))}`,
  };
  const etch: RecordedEtch = {
    id: `etch ${number}`,
    status: 'sealed',
    hash,
    canonical_string: null,
    author: { user_id: ADA },
    chain: {
      status: 'anchored',
      attestation_uid: uidOf(number),
      root: bytesToHex(root),
      proof: [],
      tree_size: 1,
      tree_version: 2,
      revocation_status: 'none',
      revocation_attestation_uid: null,
      revocation_root: null,
      revocation_proof: null,
      revocation_tree_version: null,
    },
  };
  return { hash, root: bytesToHex(root), attestation, etch };
}
type Anchored = ReturnType<typeof anchored>;

function audited() {
  const trust = { chainId: 1, contract: uidOf(7), schemaUid: uidOf(999), relayers: [RELAYER] };
  const path = join(freshHome(), 'state.json');
  const world = {
    onChain: [] as Anchored[],
    shown: [] as RecordedEtch[],
    /** called before the chain is asked for its newest block */
    beforeHead: (): void => undefined,
    asked: [] as string[],
  };
  const client = {
    origin: ORIGIN,
    findEtch: (hash: string) => Promise.resolve({ hash, author: { user_id: ADA, username: 'ada' } }),
    batch: (root: string) =>
      Promise.resolve({
        leaves: world.onChain
          .filter((each) => each.root === root)
          .map(({ hash }) => ({ user_id: ADA, hash })),
      }),
    record: (name: string) => ({
      async *pages() {
        world.asked.push(name);
        yield await Promise.resolve({ etches: world.shown, counts: { total: world.shown.length } });
      },
    }),
  } as unknown as Client;
  const job: AuditJob = {
    client,
    trust,
    parallel: 2,
    progress: { show: () => undefined, clear: () => undefined },
    reader: {
      head: () => {
        world.beforeHead();
        return Promise.resolve(world.onChain.length - 1);
      },
      firstBlock: () => Promise.resolve(0),
      async *attested(from, to) {
        for (let block = from; block <= to; block++) {
          const { uid } = world.onChain[block]!.attestation;
          yield await Promise.resolve({ from: block, to: block, logs: [{ uid, attester: RELAYER, block }] });
        }
      },
      attestations: (logs) =>
        Promise.resolve(
          logs.map(
            ({ uid }) => world.onChain.find(({ attestation }) => attestation.uid === uid)!.attestation,
          ),
        ),
    },
  };
  /** Goes on from the kept state, which is kept whenever the audit says that it is whole. */
  const run = () => {
    const state = loadState(path, ORIGIN, trust) ?? newState(emptyChainSide(0));
    return auditAll(job, state, () => saveState(path, ORIGIN, trust, state));
  };
  return { world, run };
}

test('what is anchored after an account’s record was compared is compared too', async () => {
  const { world, run } = audited();
  const [first, second] = [anchored(1), anchored(2)];
  world.onChain.push(first);
  world.shown.push(first.etch);
  expect(auditResult(await run())).toBe('pass');
  world.onChain.push(second); // and the record leaves it out
  const findings = await run();
  expect(auditResult(findings)).toBe('fail');
  expect(findings.accounts).toMatchObject([
    { username: 'ada', faults: [{ what: 'missing', hash: second.hash }] },
  ]);
}, 30_000);

test('a record that did not change on the chain is not read again', async () => {
  const { world, run } = audited();
  const first = anchored(1);
  world.onChain.push(first);
  world.shown.push(first.etch);
  await run();
  expect(auditResult(await run())).toBe('pass');
  expect(world.asked).toEqual(['ada']);
});

test('a cut before what was named too early is settled forgets nothing of it', async () => {
  const { world, run } = audited();
  const [first, invented] = [anchored(1), anchored(2)];
  world.onChain.push(first);
  world.shown.push(first.etch, invented.etch);
  let heads = 0;
  world.beforeHead = () => {
    if (++heads === 2) throw new Error('cut');
  };
  await expect(run()).rejects.toThrow('cut');
  expect(world.asked, 'the record was compared').toEqual(['ada']);
  const findings = await run();
  expect(auditResult(findings)).toBe('fail');
  expect(findings.accounts).toMatchObject([
    { faults: [{ what: 'not attested', etch_id: invented.etch.id }] },
  ]);
}, 30_000);

test('what is attested while records are read counts, by that very attestation', async () => {
  for (const [uid, result] of [
    [uidOf(2), 'pass'],
    [uidOf(66), 'fail'],
  ] as const) {
    const { world, run } = audited();
    const [first, second] = [anchored(1), anchored(2)];
    world.onChain.push(first);
    world.shown.push(first.etch, { ...second.etch, chain: { ...second.etch.chain, attestation_uid: uid } });
    let heads = 0;
    world.beforeHead = () => {
      if (++heads === 2) world.onChain.push(second);
    };
    expect(auditResult(await run()), uid).toBe(result);
  }
}, 30_000);
