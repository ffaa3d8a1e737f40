import { overall } from '@svc/verifier';
import { NOT_SHOWN, provenBlocks, rpcBlocks } from '@svc/verifier/evidence';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { TYPES } from '../../../../../testing/chain/among-others.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { rpc as call } from '../../../../../testing/chain/json-rpc.ts';
import { anchorAmong, checkEvidence } from '../../../../../testing/service/evidence.ts';
import { useService } from '../../../../../testing/service/service.ts';

const service = useService({ chain: true });
let author: TestAgent;
beforeAll(async () => void (author = await service.registerAgent()));

const rpc = (method: string, ...params: unknown[]) => call(service.devnet.rpcUrl, method, ...params);
/** An etch whose proof is stored. */
async function proven(fields = {}): Promise<string> {
  const { id } = await service.etch(author, fields);
  await service.anchor();
  await service.runTask('evidence');
  return id;
}
const evidenceOf = async (id: string) => {
  const { status, body, text } = await service.get(`/api/v1/etches/${id}/evidence`);
  expect(status, text).toBe(200);
  return body;
};

async function badges(file: any): Promise<string[]> {
  const found = await checkEvidence(service, file);
  const asked = await checkEvidence(service, file, rpcBlocks(31_337, { urls: [service.devnet.rpcUrl] }));
  expect([overall(found), overall(asked)]).toEqual(['pass', 'pass']);
  expect(found.checks[2].detail).toContain(NOT_SHOWN);
  return found.checks.map(({ badge }) => badge);
}

test('waits with a reason, then proves the tree and its tombstone among transactions of every type', async () => {
  const { id } = await service.etch(author);
  const receipt = (await service.get(`/api/v1/etches/${id}/receipt`)).body;
  const before = await evidenceOf(id);
  const none = { _format: 'svc-evidence:v1', receipt, commitment: null, tombstone: null };
  expect(before).toEqual({ ...none, wait: 'the attestation is not final yet' });
  await anchorAmong(service, 20);
  expect((await evidenceOf(id)).wait).toBe('the proof is being made');
  await service.runTask('evidence');

  const made = await evidenceOf(id);
  expect(made).toMatchObject({ tombstone: null, receipt: { etch_id: id } });
  expect(made).not.toHaveProperty('wait');
  expect(made.receipt).toEqual((await service.get(`/api/v1/etches/${id}/receipt`)).body);
  expect(await badges(made)).toEqual(['match', 'included', 'attested']);
  const [block] = provenBlocks(made, service.chain.contract);
  const { transactions } = await rpc('eth_getBlockByHash', block!.hash, true);
  expect(transactions).toHaveLength(21);
  expect(new Set(transactions.map((tx: { type: string }) => tx.type))).toEqual(new Set(TYPES));

  expect((await service.retract(author, id)).status).toBe(200);
  const retracted = await evidenceOf(id);
  expect(retracted).toMatchObject({ commitment: made.commitment, tombstone: null });
  expect(retracted.wait).toBe('the attestation is not final yet');
  expect(overall(await checkEvidence(service, retracted))).toBe('wait');
  await anchorAmong(service, 5);
  await service.runTask('evidence');
  expect(await badges(await evidenceOf(id))).toEqual(['erased', 'included', 'revoked']);
});

test('proves each transaction once and stores the proof', async () => {
  await service.etch(author);
  const id = await proven();
  const first = await evidenceOf(id);
  const kept = () => service.db.query(sql`select * from evidence order by tx_id`);
  const before = await kept();
  await service.runTask('missing evidence');
  await service.runTask('evidence');
  expect(await kept()).toEqual(before);
  expect(await evidenceOf(id)).toEqual(first);
  const final = sql`select 1 from anchor_tx where state = 'FINAL' and action <> 'fill'`;
  expect(before).toHaveLength(await service.db.countRows(final));
});

test('proves a sealed etch and reveals nothing of its text', async () => {
  const fields = { content: 'A canary sings.', mode: 'delayed', reveal_at: service.at(3_600_000) };
  const file = await evidenceOf(await proven(fields));
  expect(file.receipt.canonical_string).toBeNull();
  expect(JSON.stringify(file)).not.toContain('canary');
  const { checks } = await checkEvidence(service, file);
  expect(checks.map(({ badge }) => badge)).toEqual(['sealed', 'included', 'attested']);
});

test('stored evidence is made for transactions older than this feature', async () => {
  const { id } = await service.etch(author);
  await service.anchor();
  await service.db.query(sql`delete from evidence`);
  expect((await evidenceOf(id)).wait).toBe('the proof is being made');
  await service.runTask('missing evidence');
  for (let run = 0; run < 5; run++) await service.runTask('evidence');
  expect(await badges(await evidenceOf(id))).toEqual(['match', 'included', 'attested']);
});

test('stored evidence that does not verify is not answered and is made again', async () => {
  const id = await proven();
  const good = await evidenceOf(id);
  await service.db.query(sql`update evidence set header = set_byte(header, 40, get_byte(header, 40) # 1)`);
  expect(await evidenceOf(id)).toMatchObject({ commitment: null, wait: 'the proof is being made' });
  await service.runTask('evidence');
  expect(await evidenceOf(id)).toEqual(good);
});

test('stored evidence is made again after a reorganization', async () => {
  const id = await proven();
  const [before] = provenBlocks(await evidenceOf(id), service.chain.contract);
  await rpc('anvil_reorg', 2, []);
  await rpc('evm_increaseTime', 1 - Number(await rpc('evm_increaseTime', 0)));
  await service.etch(author);
  await service.anchor();
  expect(await evidenceOf(id)).toMatchObject({ commitment: null, wait: 'the proof is being made' });
  await service.runTask('evidence');
  const file = await evidenceOf(id);
  expect(await badges(file)).toEqual(['match', 'included', 'attested']);
  const [after] = provenBlocks(file, service.chain.contract);
  expect(after!.hash).not.toBe(before!.hash);
});
