import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTimestamps, readCertificates } from '@svc/timestamp';
import { overall } from '@svc/verifier';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Authority,
  type Fault,
  ofAnotherHash,
  opensslAccepts,
  startAuthority,
  withAnotherNonce,
} from '../../../../../testing/authority/authority.ts';
import { type Certificates, makeCertificates } from '../../../../../testing/authority/certificates.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { checkEvidence } from '../../../../../testing/service/evidence.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { readCounts } from '../../../src/vitals/store.ts';
import { createTimestamper } from '../../../src/proofs/witnesses/timestamps.ts';

let good: Certificates;
let authority: Authority;
const service = useService(async () => {
  good = await makeCertificates();
  authority = await startAuthority(good);
  const file = join(newFolder('certificates'), 'authority.pem');
  writeFileSync(file, good.root);
  return { chain: true, settings: { TSA_URLS: authority.url, TSA_CERTIFICATES: file } };
});
let author: TestAgent;
beforeAll(async () => void (author = await service.registerAgent()));
afterAll(() => authority.stop());

let now = 0;
const warned: { fault?: string }[] = [];
beforeEach(() => {
  now = service.clock.now();
  authority.fault = undefined;
  authority.certificates = good;
  warned.length = 0;
});

const stamp = (urls = [authority.url], timeoutMs = 20_000) =>
  createTimestamper({
    db: service.db,
    now: () => now,
    authorities: { urls, certificates: good.root },
    log: { warn: (fields) => void warned.push(fields) },
    timeoutMs,
  })();
async function anchored(): Promise<string> {
  const { id } = await service.etch(author);
  await service.anchor();
  return id;
}
const evidenceOf = async (id: string): Promise<Evidence> =>
  parseEvidence((await service.get(`/api/v1/etches/${id}/evidence`)).body);
const judge = (file: Evidence) => checkTimestamps(file, readCertificates(good.root), now);

test('stamps each tree and each tombstone once, and OpenSSL accepts the stored stamps', async () => {
  await service.etch(author);
  const id = await anchored();
  await service.runTask('evidence');
  const before = await evidenceOf(id);
  const { unproven, unstamped } = await readCounts(service.db);
  expect([unproven, unstamped]).toMatchObject([{ trees: 0, oldestAt: null }, { trees: 1 }]);
  expect(Math.abs(unstamped.oldestAt! - service.clock.now())).toBeLessThan(300_000);
  expect(before).not.toHaveProperty('witnesses');
  await service.runTask('time stamps');
  const stamped = await evidenceOf(id);
  expect((await readCounts(service.db)).unstamped).toEqual({ trees: 0, oldestAt: null });
  expect(stamped).toMatchObject({ ...before, witnesses: [{ of: 'commitment', kind: 'rfc3161' }] });
  expect(await judge(stamped)).toMatchObject({ verdict: 'pass', badge: 'stamped' });
  await service.retract(author, id);
  await service.anchor();
  for (let run = 0; run < 3; run++)
    for (const task of ['evidence', 'time stamps', 'missed time stamps']) await service.runTask(task);
  const file = await evidenceOf(id);
  expect(file.witnesses!.map(({ of }) => of)).toEqual(['commitment', 'tombstone']);
  expect(file.witnesses![0]).toEqual(stamped.witnesses![0]);
  expect((await judge(file)).detail).toContain('Its retraction existed by');
  const proofs = [file.commitment!, file.tombstone!] as unknown as { preimage: { data: string } }[];
  for (const [at, { proof }] of file.witnesses!.entries()) {
    const [data, token] = [proofs[at]!.preimage.data, proof].map((hex) => Buffer.from(hex.slice(2), 'hex'));
    expect(await opensslAccepts(good, { data: data!, token: token! })).toBe(true);
    expect(await opensslAccepts(good, { data: data!.reverse(), token: token! })).toBe(false);
  }
  expect(overall(await checkEvidence(service, file))).toBe('pass');
});

const FAULTS: [string, string, Fault | Parameters<typeof makeCertificates>[0]][] = [
  ['is down', 'unreachable', () => 'down'],
  ['is slow', 'unreachable', () => 'slow'],
  ['answers nonsense', 'malformed', () => 'nonsense'],
  ['stamps another hash', 'imprint', ofAnotherHash],
  ['answers with another nonce', 'nonce', withAnotherNonce],
  ['has a certificate that had expired', 'expired', { days: -1 }],
  ['has a certificate that nobody trusts', 'unknown', {}],
];
test('stores nothing from a failing authority and does not wait for it', async () => {
  const id = await anchored();
  for (const [name, fault, how] of FAULTS) {
    if (typeof how === 'function') authority.fault = how;
    else
      authority.certificates = await makeCertificates({ ...how, ...(fault === 'expired' && { by: good }) });
    await stamp([authority.url], fault === 'unreachable' ? 300 : 20_000);
    expect(warned.at(-1), name).toMatchObject({ fault });
    authority.fault = undefined;
    now += 3_601_000;
  }
  expect(warned).toHaveLength(FAULTS.length);
  const other = await anchored();
  expect((await service.read(other)).chain.status).toBe('anchored');
  const row = sql`
    select w.proof, w.wait, w.tries from witness w join batch_leaf l on l.batch_id = w.batch_id where l.etch_id = ${id}`;
  const wait = expect.stringContaining('no trusted certificate certifies');
  expect(await service.db.one(row)).toMatchObject({ proof: null, tries: FAULTS.length, wait });
  expect(await evidenceOf(id)).not.toHaveProperty('witnesses');
  authority.certificates = good;
  now = service.clock.now() + 60_000;
  await service.db.query(sql`update witness set due_at = to_timestamp(0) where proof is null`);
  await stamp();
  for (const etch of [id, other])
    expect(await judge(await evidenceOf(etch))).toMatchObject({ verdict: 'pass' });
});

test('tries the next authority after a failure and gives up old trees', async () => {
  const id = await anchored();
  await stamp(['http://127.0.0.1:9/', authority.url]);
  expect(warned).toMatchObject([{ authority: '127.0.0.1:9', fault: 'unreachable' }]);
  expect(await judge(await evidenceOf(id))).toMatchObject({ verdict: 'pass' });

  const second = await anchored();
  authority.fault = () => 'down';
  now += 8 * 86_400_000;
  await stamp();
  await stamp();
  expect(warned).toHaveLength(2);
  authority.fault = undefined;
  now += 86_400_000;
  await stamp();
  expect(await evidenceOf(second)).not.toHaveProperty('witnesses');
});

test('stamps trees of the last day that were not queued', async () => {
  const id = await anchored();
  await service.db.query(sql`
    delete from witness where batch_id in (select batch_id from batch_leaf where etch_id = ${id})`);
  await stamp();
  expect(await evidenceOf(id)).not.toHaveProperty('witnesses');
  await service.runTask('missed time stamps');
  await service.runTask('time stamps');
  expect(await judge(await evidenceOf(id))).toMatchObject({ verdict: 'pass' });
});
