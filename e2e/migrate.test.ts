// Runs in the soak only.
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overall, type Trust } from '@svc/verifier';
import {
  blockHashes,
  type Evidence,
  formerEvidence,
  provenBlocks,
  verifyEvidence,
} from '@svc/verifier/evidence';
import { expect, test } from 'vitest';
import { NORMAL_PATH } from '../packages/server/src/anchoring/failpoints.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { attestationsOf } from '../testing/chain/attestations.ts';
import { freshHome, svc } from '../testing/clients/svc.ts';
import { ledgerFaults } from '../testing/ledger/audit-ledger.ts';
import { rounds } from '../testing/rounds.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { allAnchored, fetchReceipts, receiptFaults } from '../testing/system/settled.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';
import { ends } from '../testing/clients/ends.ts';

// packages/server/test/anchoring/migrate.test.ts has the cases.
const TREES = rounds(3, 12);
const ETCHES_A_TREE = rounds(3, 834);
const ground = useGround({ chain: false });

test('receipts, retractions and audits of a service verify on the chain that it moved to', async () => {
  const [old, next] = await Promise.all([startChain(), startChain({ chainId: 8453 })]);
  ground.keep(old);
  ground.keep(next);
  const relayer = await old.newRelayer();
  await next.rpc('anvil_setBalance', relayer.address, `0x${(10n ** 22n).toString(16)}`);
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain: old, relayer }));
  await world.start();
  const agents = await world.agents(2);
  const load = new Load({ client: world.client, agents, delayed: 30 });
  for (let tree = 0; tree < TREES; tree++) {
    await Promise.all(Array.from({ length: ETCHES_A_TREE }, () => load.etch()));
    await load.retract(load.wanted[randomInt(ETCHES_A_TREE) + tree * ETCHES_A_TREE]!);
    await allAnchored(world, load.wanted);
  }
  const evidenceOf = async ({ id }: Wanted) =>
    (await world.client.call('GET', `/api/v1/etches/${id}/evidence`)).body as Evidence;
  const blocks = new Set<string>();
  for (const wanted of load.wanted) {
    const proven = await eventually('its evidence is complete', async () => {
      const evidence = await evidenceOf(wanted);
      return evidence.wait === undefined && evidence;
    });
    for (const { hash } of provenBlocks(proven, old.contract)) blocks.add(hash);
  }
  const before = await fetchReceipts(world.client, load.wanted);
  const chainId = String(next.chainId);
  const settings = { CHAIN_NAME: 'next', CHAIN_RPC_URL: next.rpcUrl, CHAIN_ID: chainId };
  const migrate = (...more: string[]) =>
    svcAdmin({ ...world.settings, ...settings }, 'chain', 'migrate', '--from-name', 'old', '--json', ...more);

  const planned = await migrate();
  expect(planned, planned.err).toMatchObject({
    status: 0,
    json: { dry_run: true, trees: expect.any(Number), etches: load.wanted.length, without_evidence: 0 },
  });
  expect(planned.json.trees).toBeGreaterThanOrEqual(TREES);
  await ends(migrate('--yes'), 69, { err: 'a service runs' });
  await world.service.stop();
  const wrong = { ...world.settings, ...settings, CHAIN_ID: '10' };
  await ends(svcAdmin(wrong, 'chain', 'migrate', '--from-name', 'old', '--yes'), 78);
  await old.stop();
  expect(await migrate('--yes')).toMatchObject({ status: 0, json: { dry_run: false } });
  await ends(migrate('--yes'), 1, { err: /8453 already: \d+ trees wait/ });

  for (const failpoint of NORMAL_PATH) {
    await world.start({ ...settings, FAILPOINT: failpoint }, { until: 'spawned' });
    expect(await world.service.exited).toEqual({ code: null, signal: 'SIGKILL' });
  }
  await world.start(settings);
  await allAnchored(world, load.wanted);
  await load.etch({ mode: 'instant', reveal_at: null });
  const live = load.wanted.find(({ retracted }) => !retracted)!;
  const receipts = await fetchReceipts(world.client, load.wanted.slice(0, -1));
  for (const [at, { former, status, ...receipt }] of receipts.entries()) {
    expect(former).toEqual([{ ...before[at]!.chain, name: 'old' }]);
    expect(receipt.chain).toMatchObject({ name: 'next', chain_id: 8453 });
    expect([status, receipt.inclusion]).toEqual([before[at]!.status, before[at]!.inclusion]);
  }
  const ledger = { ...next, relayer: relayer.address };
  expect(await receiptFaults(receipts, ledger)).toEqual([]);

  const trust: Trust = { ...old, relayers: [relayer.address] };
  const source = blockHashes([...blocks]);
  for (const [at, wanted] of load.wanted.slice(0, -1).entries()) {
    const [former, ...more] = formerEvidence(await evidenceOf(wanted));
    expect(more).toEqual([]);
    const verification = await verifyEvidence(former, trust, source);
    expect(overall(verification), JSON.stringify(verification.checks)).toBe('pass');
    expect(verification.chain.onchainTimestamp).toBe(before[at]!.chain.anchored_at);
  }
  const home = freshHome();
  const file = join(home, 'evidence.json');
  const shown = await eventually('evidence on the new chain', async () => {
    const evidence = await evidenceOf(live);
    return evidence.wait === undefined && evidence;
  });
  writeFileSync(file, JSON.stringify(shown));
  // The reader pinned the first chain.
  const { promise } = (await world.client.call('GET', '/.well-known/svc.json')).body;
  mkdirSync(join(home, 'svc'));
  const firstPin = {
    chain_id: old.chainId,
    attestation_contract: old.contract,
    schema_uid: old.schemaUid,
    relayers: [relayer.address],
    promise_keys: promise.keys,
  };
  writeFileSync(join(home, 'svc', 'trust.json'), JSON.stringify({ [world.url]: firstPin }));
  const there = ['--base-url', world.url];
  await ends(svc(['verify', live.id!, ...there], { home }), 2, {
    last: new RegExp(`^WAIT: this service moved to another chain on ....-..-..: run svc trust ${world.url}$`),
  });
  await ends(svc(['trust', world.url], { home }), 0, { out: `former chain ${old.chainId}` });
  await ends(svc(['verify', live.id!, ...there, '--rpc', next.rpcUrl], { home }), 0);

  const flags = ({ contract, schemaUid, chainId }: typeof old) => [
    '--contract',
    contract,
    '--schema',
    schemaUid,
    '--chain-id',
    String(chainId),
    '--relayer',
    relayer.address,
  ];
  const hashes = [...blocks].flatMap((hash) => ['--block-hash', hash]);
  await ends(svc(['verify', file, '--former', ...hashes], { home }), 0);
  await ends(svc(['verify', file, ...flags(next), '--rpc', next.rpcUrl], { home }), 0, {
    out: 'first attested on old (chain 31337) at ',
  });
  const page = await world.client.call('GET', `/e/${live.id}/verify`);
  expect(page.text).toContain('First attested on old (chain 31337) at');

  await load.retract(live);
  await allAnchored(world, load.wanted);
  await ends(
    svc(['audit', '--all', '--base-url', world.url, ...flags(next), '--rpc', next.rpcUrl], { home }),
    0,
  );
  await world.service.stop();
  const users = agents.map(({ userId }) => userId);
  const attested = await attestationsOf(ledger);
  expect(await world.withDb((db) => ledgerFaults(db, attested, { users }))).toEqual([]);
  expect((await svcAdmin({ ...world.settings, ...settings }, 'fsck', '--json')).json).toMatchObject({
    ok: true,
  });
}, 3_000_000);
