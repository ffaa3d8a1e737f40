import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTree, bytesToHex, encodeAttestationData, etchLeaf, packLeaves } from '@svc/protocol';
import type { Client } from '@svc/sdk';
import type { OnchainAttestation, RecordedEtch } from '@svc/verifier';
import { describe, expect, test } from 'vitest';
import { auditAll, type WholeFindings } from '../src/audit/audit-all.ts';
import { auditKept } from '../src/commands/audit.ts';
import { loadState, newState, saveState } from '../src/audit/audit-state.ts';
import { type AuditJob, emptyChainSide } from '../src/audit/job.ts';
import { auditJson, auditLines, type AuditReport, auditResult } from '../src/audit/print-audit.ts';
import { freshHome } from '../../../testing/clients/svc.ts';

// An audit is cut off between its steps, and service and chain change meanwhile.
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
    content: null,
    salt: null,
    created_at: null,
    canonical_string: null,
    author: { user_id: ADA },
    chain: {
      status: 'anchored',
      attestation_uid: uidOf(number),
      anchored_at: new Date(1_800_000_000_000).toISOString(),
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
    beforeHead: (): void => undefined,
    asked: [] as string[],
    trees: [] as string[],
    altered: new Map<string, string>(),
  };
  const client = {
    origin: ORIGIN,
    findEtch: (hash: string) => Promise.resolve({ hash, author: { user_id: ADA, username: 'ada' } }),
    treeLeaves: (root: string) => {
      world.trees.push(root);
      const leaves = world.onChain.filter((each) => each.root === root);
      return Promise.resolve(
        packLeaves(
          2,
          leaves.map(({ hash }) => ({ user_id: ADA, hash: world.altered.get(hash) ?? hash })),
        ),
      );
    },
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
});

test.concurrent('does not read the record of an unchanged account again', async () => {
  const { world, run } = audited();
  const first = anchored(1);
  world.onChain.push(first);
  world.shown.push(first.etch);
  await run();
  expect(auditResult(await run())).toBe('pass');
  expect(world.asked).toEqual(['ada']);
});

test.concurrent('continues after an interruption before newer attestations are checked', async () => {
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
});

test.concurrent('counts an etch that is attested during the audit, by that attestation', async () => {
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
});

test.concurrent('fails on a tree whose attestation was revoked', async () => {
  const { world, run } = audited();
  const first = anchored(1);
  first.attestation.revocationTime = first.attestation.time + 5;
  world.onChain.push(first);
  world.shown.push(first.etch);
  const findings = await run();
  expect(auditResult(findings)).toBe('fail');
  expect(printed(findings)).toContain(`FAIL  tree ${first.root}: one of its attestations was revoked`);
});

describe.concurrent('the results of an ended audit', () => {
  async function kept() {
    const audit = audited();
    const first = anchored(1);
    audit.world.onChain.push(first);
    audit.world.shown.push(first.etch);
    expect((await audit.whole()).kept).toBeNull();
    audit.world.trees.length = 0;
    return { ...audit, first };
  }

  test('are reused except for a sample, and reported', async () => {
    const { world, whole } = await kept();
    const [second, third] = [anchored(2), anchored(3)];
    world.onChain.push(second, third);
    world.shown.push(second.etch, third.etch);
    const findings = await whole();
    expect(auditResult(findings)).toBe('pass');
    expect(findings.kept).toMatchObject({ trees: 1, leaves: 1, accounts: 0, treesAgain: 1 });
    expect(world.trees).toHaveLength(3);
    expect(printed(findings)).toContain('1 leaf of 1 tree');
    expect(printed(findings)).toMatch(/\nPASS: .* reused results are as of the audits that found them\./);
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

  test('are checked again when the service returns a different tree', async () => {
    const { world, whole, first, path } = await kept();
    world.altered.set(first.hash, hashOf(77));
    const findings = await whole();
    expect(findings).toMatchObject({ kept: null, keptNoMore: expect.stringMatching(/^\d{4}-/) });
    expect(auditResult(findings)).toBe('fail');
    expect(existsSync(path), 'the next audit looks everywhere').toBe(false);
  });

  test('are checked again when a record omits an etch', async () => {
    const { world, whole, first } = await kept();
    world.shown.length = 0;
    const findings = await whole();
    expect(auditResult(findings)).toBe('fail');
    expect(findings.accounts).toMatchObject([{ faults: [{ what: 'missing', hash: first.hash }] }]);
  });

  test('are not reused when a tree is no longer on the chain', async () => {
    const { world, whole } = await kept();
    const other = anchored(9);
    world.onChain.splice(0, 1, other);
    world.shown.splice(0, 1, other.etch);
    const findings = await whole();
    expect([auditResult(findings), findings.kept]).toEqual(['pass', null]);
    expect(printed(findings)).toContain('no longer agree: everything was audited again');
  });

  test('fail when one of their trees was revoked since', async () => {
    const { whole, first } = await kept();
    first.attestation.revocationTime = first.attestation.time + 5;
    const findings = await whole();
    expect([auditResult(findings), findings.kept]).toEqual(['fail', null]);
    expect(printed(findings)).toContain('one of its attestations was revoked');
  });

  test('compare records again when an attestation changed', async () => {
    const { world, whole, first } = await kept();
    world.asked.length = 0;
    first.attestation.uid = uidOf(55);
    const findings = await whole();
    expect(auditResult(findings)).toBe('fail'); // the record names the attestation that is gone
    expect(findings.accounts).toMatchObject([{ faults: [{ what: 'not attested' }] }]);
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
