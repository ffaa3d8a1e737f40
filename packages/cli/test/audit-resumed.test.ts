import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTree, bytesToHex, encodeAttestationData, etchLeaf, packLeaves } from '@svc/protocol';
import type { OnchainAttestation, RecordedEtch } from '@svc/verifier';
import { describe, expect, test } from 'vitest';
import { auditAll, type WholeFindings } from '../src/audit/audit-all.ts';
import { auditKept } from '../src/commands/audit.ts';
import { loadState, newState, saveState } from '../src/audit/audit-state.ts';
import { emptyChainSide } from '../src/audit/job.ts';
import { auditJson, auditLines, type AuditReport, auditResult } from '../src/audit/print-audit.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { auditJob } from './support/audit-job.ts';

// An audit is cut off between its steps, and service and chain change before it resumes.
const ADA = '11111111-1111-4111-8111-111111111111';
const RELAYER = `0x${'ab'.repeat(20)}`;
const ORIGIN = 'http://svc.test';
const hashOf = (value: number) => value.toString(16).padStart(64, '0');
const uidOf = (value: number) => `0x${hashOf(value)}`;

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
    mode: 'delayed',
    hash,
    author: { user_id: ADA },
    content: null,
    salt: null,
    created_at: null,
    canonical_string: null,
    chain: {
      status: 'anchored',
      attestation_uid: uidOf(number),
      root: bytesToHex(root),
      proof: [],
      anchored_at: new Date(1_800_000_000_000).toISOString(),
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

/** The chain and the record have these etches. */
function audited(...etches: Anchored[]) {
  const trust = { chainId: 1, contract: uidOf(7), schemaUid: uidOf(999), relayers: [RELAYER] };
  const path = join(freshHome(), 'state.json');
  const world = {
    onChain: [...etches],
    shown: etches.map(({ etch }) => etch),
    beforeHead: (): void => undefined,
    asked: [] as string[],
    trees: [] as string[],
    altered: new Map<string, string>(),
  };
  const client = {
    findEtch: async (hash: string) => ({ hash, author: { user_id: ADA, username: 'ada' } }),
    treeLeaves: async (root: string) => {
      world.trees.push(root);
      const leaves = world.onChain.filter((each) => each.root === root);
      const parts = leaves.map(({ hash }) => ({ user_id: ADA, hash: world.altered.get(hash) ?? hash }));
      return packLeaves(2, parts);
    },
    record: (name: string) => ({
      async *pages() {
        world.asked.push(name);
        yield await Promise.resolve({ etches: world.shown, counts: { total: world.shown.length } });
      },
    }),
  };
  const attestations = () => world.onChain.map(({ attestation }) => attestation);
  const job = auditJob(client, trust, attestations, () => world.beforeHead());
  const run = () => {
    const state = loadState(path, ORIGIN, trust) ?? newState(emptyChainSide(0));
    return auditAll(job, state, (now) => saveState(path, ORIGIN, trust, now));
  };
  /** As `svc audit --all` does: an ended audit keeps its results. */
  const whole = (options: { fresh?: boolean } = {}) =>
    auditKept(job, { path, firstBlock: () => Promise.resolve(0), fresh: false, ...options });
  return { world, run, whole, path, trust };
}

test.concurrent('compares an etch that is anchored after its account was compared', async () => {
  const { world, run } = audited(anchored(1));
  expect(auditResult(await run())).toBe('pass');
  const second = anchored(2);
  world.onChain.push(second); // and the record leaves it out
  const findings = await run();
  expect(auditResult(findings)).toBe('fail');
  expect(findings.accounts).toMatchObject([
    { username: 'ada', faults: [{ what: 'missing', hash: second.hash }] },
  ]);
});

test.concurrent('does not read the record of an unchanged account again', async () => {
  const { world, run } = audited(anchored(1));
  await run();
  expect(auditResult(await run())).toBe('pass');
  expect(world.asked).toEqual(['ada']);
});

/** Acts before the head of the chain is read for the second time. */
const atSecondHead = (world: { beforeHead: () => void }, act: () => void) => {
  let heads = 0;
  world.beforeHead = () => {
    if (++heads === 2) act();
  };
};

test.concurrent('continues after an interruption before newer attestations are checked', async () => {
  const { world, run } = audited(anchored(1));
  const { etch: invented } = anchored(2);
  world.shown.push(invented);
  atSecondHead(world, () => {
    throw new Error('cut');
  });
  await expect(run()).rejects.toThrow('cut');
  expect(world.asked, 'the record was compared').toEqual(['ada']);
  const findings = await run();
  expect(auditResult(findings)).toBe('fail');
  expect(findings.accounts).toMatchObject([{ faults: [{ what: 'not attested', etch_id: invented.id }] }]);
});

test.concurrent('counts an etch that is attested during the audit, by that attestation', async () => {
  for (const [uid, result] of [
    [uidOf(2), 'pass'],
    [uidOf(66), 'fail'],
  ] as const) {
    const { world, run } = audited(anchored(1));
    const second = anchored(2);
    world.shown.push({ ...second.etch, chain: { ...second.etch.chain, attestation_uid: uid } });
    atSecondHead(world, () => world.onChain.push(second));
    expect(auditResult(await run()), uid).toBe(result);
  }
});

const revoke = ({ attestation }: Anchored) => (attestation.revocationTime = attestation.time + 5);

test.concurrent('fails on a tree whose attestation was revoked', async () => {
  const first = anchored(1);
  revoke(first);
  const findings = await audited(first).run();
  expect(auditResult(findings)).toBe('fail');
  expect(printed(findings)).toContain(`FAIL  tree ${first.root}: one of its attestations was revoked`);
});

describe.concurrent('the results of an ended audit', () => {
  async function kept() {
    const first = anchored(1);
    const audit = audited(first);
    expect((await audit.whole()).kept).toBeNull();
    audit.world.trees.length = 0;
    return { ...audit, first };
  }

  test('are reused except for a sample, and reported', async () => {
    const { world, whole } = await kept();
    const more = [anchored(2), anchored(3)];
    world.onChain.push(...more);
    world.shown.push(...more.map(({ etch }) => etch));
    const findings = await whole();
    expect(auditResult(findings)).toBe('pass');
    expect(findings.kept).toMatchObject({ trees: 1, leaves: 1, accounts: 0, treesAgain: 1 });
    expect(world.trees).toHaveLength(3);
    expect(printed(findings)).toMatch(
      /1 leaf of 1 tree[^]*\nPASS: .* reused results are as of the audits that found them\./,
    );
    const fresh = await whole({ fresh: true });
    expect([fresh.kept, auditResult(fresh)]).toEqual([null, 'pass']);
    expect(printed(fresh)).toContain('\nPASS: nothing is left out, and nothing was changed.');
    expect(auditJson(reportOf(fresh))).toMatchObject({
      result: 'pass',
      audited_at: expect.stringMatching(/^2\d{3}-.*Z$/),
      accounts_named: 1,
      accounts_same: 1,
    });
  });

  type Kept = Awaited<ReturnType<typeof kept>>;
  test.each<[string, (audit: Kept) => unknown, object[]]>([
    [
      'when a record omits an etch',
      ({ world }) => (world.shown.length = 0),
      [{ faults: [{ what: 'missing', hash: anchored(1).hash }] }],
    ],
    [
      // The record names the attestation that is gone.
      'when an attestation changed',
      ({ first }) => (first.attestation.uid = uidOf(55)),
      [{ faults: [{ what: 'not attested' }] }],
    ],
  ])('are checked again %s', async (_, change, accounts) => {
    const audit = await kept();
    change(audit);
    const findings = await audit.whole();
    expect(auditResult(findings)).toBe('fail');
    expect(findings.accounts).toMatchObject(accounts);
  });

  test('are checked again when the service returns a different tree', async () => {
    const { world, whole, first, path } = await kept();
    world.altered.set(first.hash, hashOf(77));
    const findings = await whole();
    expect(findings).toMatchObject({ kept: null, keptNoMore: expect.stringMatching(/^\d{4}-/) });
    expect(auditResult(findings)).toBe('fail');
    expect(existsSync(path), 'the next audit looks everywhere').toBe(false);
  });

  test('are not reused when a tree is no longer on the chain, or was revoked since', async () => {
    const { world, whole } = await kept();
    const other = anchored(9);
    world.onChain.splice(0, 1, other);
    world.shown.splice(0, 1, other.etch);
    const findings = await whole();
    expect([auditResult(findings), findings.kept]).toEqual(['pass', null]);
    expect(printed(findings)).toContain('no longer agree: everything was audited again');

    revoke(other);
    const revoked = await whole();
    expect([auditResult(revoked), revoked.kept]).toEqual(['fail', null]);
    expect(printed(revoked)).toContain('one of its attestations was revoked');
  });

  test('are rejected when damaged, and ignored when they belong to a different service or an older program', async () => {
    const { path, trust } = await kept();
    const text = readFileSync(path, 'utf8');
    for (const damaged of [text.slice(0, -9), text.replace('"etches":1', '"etches":2'), '', '{}', 'x'])
      expect(() => loadState(writtenAs(path, damaged), ORIGIN, trust), damaged.slice(0, 40)).toThrow(
        /--fresh/,
      );
    expect(loadState(writtenAs(path, text), ORIGIN, trust)).toMatchObject({ ended: true });
    expect(loadState(path, 'http://other.test', trust)).toBeNull();
    expect(loadState(path, ORIGIN, { ...trust, relayers: [`0x${'cd'.repeat(20)}`] })).toBeNull();
    expect(loadState(writtenAs(path, '{"format":"svc-audit:v2","subject":""}'), ORIGIN, trust)).toBeNull();
  });
});

const writtenAs = (path: string, text: string) => {
  writeFileSync(path, text);
  return path;
};

const reportOf = (findings: WholeFindings): AuditReport => ({
  service: ORIGIN,
  findings,
  chosen: { trust: { chainId: 1, relayers: [] }, sources: {} } as unknown as AuditReport['chosen'],
  condition: null,
  notes: [],
});
const printed = (findings: WholeFindings) => auditLines(reportOf(findings)).join('\n');
