import { hexToBytes } from '@svc/protocol';
import { checkOts, exportOts, givenHeaders, noHeaders, rpcHeaders } from '@svc/timestamp/ots';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calendars from '../../../../../testing/calendar/calendar.ts';
import { hasOracle, readByOracle } from '../../../../../testing/calendar/oracle.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { createOtsStamper } from '../../../src/proofs/witnesses/ots.ts';

let [calendar, other] = [{} as calendars.Calendar, {} as calendars.Calendar];
const service = useService(async () => {
  [calendar, other] = await Promise.all([calendars.startCalendar(), calendars.startCalendar()]);
  return { chain: true, settings: { OTS_CALENDARS: `${calendar.url}, ${other.url}` } };
});
let author: TestAgent;
beforeAll(async () => void (author = await service.registerAgent()));
afterAll(() => Promise.all([calendar, other].map((one) => one.stop())));

const HOUR = 3_600_000;
let now = 0;
const warned: { fault?: string; calendar?: string }[] = [];
beforeEach(async () => {
  now = service.clock.now();
  warned.length = 0;
  await Promise.all([calendar, other].map((one) => one.fail('none')));
});

const stamp = (urls = [calendar.url, other.url], timeoutMs = 20_000) =>
  createOtsStamper({
    db: service.db,
    now: () => now,
    calendars: urls,
    log: { warn: (fields) => void warned.push(fields) },
    timeoutMs,
  })();
const evidenceOf = async (id: string): Promise<Evidence> =>
  parseEvidence((await service.get(`/api/v1/etches/${id}/evidence`)).body);
const seconds = () => Math.floor(now / 1000);
async function anchored(): Promise<string> {
  const { id } = await service.etch(author);
  await service.anchor();
  return id;
}
const storedOf = (id: string) =>
  service.db.one<{ proof: Buffer | null; wait: string | null; tries: number; pause: number }>(sql`
    select w.proof, w.wait, w.tries, extract(epoch from w.due_at)::float8 as pause
    from witness w join batch_leaf l on l.batch_id = w.batch_id where l.etch_id = ${id}`);
const nodeOf = ({ bitcoinRpc }: calendars.Calendar) => rpcHeaders(bitcoinRpc, { timeoutMs: 20_000 });

test('stores the promises of all calendars, then their blocks, and exports a standard file', async () => {
  const id = await anchored();
  await service.runTask('OpenTimestamps');
  const promised = await evidenceOf(id);
  expect(promised.witnesses).toMatchObject([{ of: 'commitment', kind: 'ots' }]);
  expect(await checkOts(promised, noHeaders)).toMatchObject({ verdict: 'wait', badge: 'pending' });

  const header = (await calendar.mine(seconds())).at(-1)!.header;
  now += HOUR;
  await stamp();
  expect(warned).toEqual([]);
  const file = await evidenceOf(id);
  expect(await checkOts(file, givenHeaders([header]))).toMatchObject({ verdict: 'pass' });
  const second = (await other.mine(seconds())).at(-1)!.header;
  now += 12 * HOUR;
  await stamp();
  const whole = await evidenceOf(id);
  for (const headers of [[header], [second]])
    expect(await checkOts(whole, givenHeaders(headers))).toMatchObject({ verdict: 'pass' });
  expect(await storedOf(id)).toMatchObject({ wait: null, pause: null });
  const before = await calendar.seen();
  now += 24 * HOUR;
  await stamp();
  expect(await calendar.seen()).toBe(before);

  const exported = exportOts(whole.receipt, hexToBytes(whole.witnesses![0]!.proof.slice(2)));
  if (hasOracle)
    expect(readByOracle([exported], [header, second])).toMatchObject([
      { digest: whole.receipt.hash, times: [expect.any(Number), expect.any(Number)] },
    ]);
});

test('proves each tombstone separately', async () => {
  const id = await anchored();
  await service.retract(author, id);
  await service.anchor();
  await stamp();
  await calendar.mine(seconds());
  now += HOUR;
  await stamp();
  const file = await evidenceOf(id);
  expect(file.witnesses!.map(({ of, kind }) => [of, kind])).toEqual([
    ['commitment', 'ots'],
    ['tombstone', 'ots'],
  ]);
  const found = await checkOts(file, nodeOf(calendar));
  expect(found.verdict).toBe('pass');
  expect(found.detail).toContain('Its retraction existed by');
});

const FAULTS: calendars.CalendarFault[] = [
  ...(['dead', 'slow', 'error', 'huge', 'endless', 'malformed', 'deep'] as const),
  ...(['another digest', 'another calendar', 'nothing but blocks'] as const),
];
test('a failing calendar delays neither anchoring nor other calendars, and none of its answers is stored', async () => {
  for (const fault of FAULTS) {
    await calendar.fail(fault);
    const id = await anchored();
    expect((await service.read(id)).chain.status).toBe('anchored');
    warned.length = 0;
    await stamp(undefined, fault === 'slow' ? 300 : 20_000);
    expect(warned, fault).toMatchObject([{ calendar: new URL(calendar.url).host }]);
    await other.mine(seconds());
    now += HOUR;
    await stamp();
    const file = await evidenceOf(id);
    const found = await checkOts(file, nodeOf(other));
    expect(found, fault).toMatchObject({ verdict: 'pass' });
    expect(Buffer.from(hexToBytes(file.witnesses![0]!.proof.slice(2))).includes(calendar.url)).toBe(false);
  }
});

test('retries a calendar at growing intervals, and gives up after a week', async () => {
  const id = await anchored();
  await calendar.fail('dead');
  await stamp([calendar.url]);
  const failed = await storedOf(id);
  expect(failed).toMatchObject({ proof: null, wait: 'no calendar gave a valid answer', tries: 1 });
  expect(await evidenceOf(id)).not.toHaveProperty('witnesses');
  await calendar.fail('none');
  now += 60_000;
  await stamp([calendar.url]);
  const pauses: number[] = [];
  for (let round = 0; round < 8; round++) {
    const { pause } = await storedOf(id);
    pauses.push(pause - Math.floor(now / 1000));
    now = pause * 1000 + 1;
    await stamp([calendar.url]);
  }
  expect(pauses.map((pause) => Math.round(pause / 600))).toEqual([1, 2, 4, 8, 16, 32, 36, 36]);
  now = service.clock.now() + 8 * 24 * HOUR;
  await stamp([calendar.url]);
  expect(await storedOf(id)).toMatchObject({ pause: null });
  expect(await checkOts(await evidenceOf(id), noHeaders)).toMatchObject({ badge: 'pending' });
});

test('a stored proof that cannot be read stops no other tree', async () => {
  const [good, bad] = [await anchored(), await anchored()];
  await stamp();
  await calendar.mine(seconds());
  const spoiled = Buffer.from('no proof');
  await service.db.query(sql`
    update witness set proof = ${spoiled} where batch_id in (select batch_id from batch_leaf where etch_id = ${bad})`);
  now += HOUR;
  await stamp();
  expect(await checkOts(await evidenceOf(good), nodeOf(calendar))).toMatchObject({ verdict: 'pass' });
  const wait = expect.stringContaining('proof');
  expect(await storedOf(bad)).toMatchObject({ proof: spoiled, tries: 2, wait });
  expect(warned).toMatchObject([{ fault: 'malformed' }]);
  await service.db.query(sql`delete from witness where proof = ${spoiled}`);
});

test('a lying block never passes', async () => {
  const id = await anchored();
  await stamp([calendar.url]);
  await calendar.mine(seconds());
  await calendar.fail('lie');
  now += HOUR;
  await stamp([calendar.url]);
  const file = await evidenceOf(id);
  expect(await checkOts(file, noHeaders)).toMatchObject({ verdict: 'wait', badge: 'unproven' });
  expect(await checkOts(file, nodeOf(calendar))).toMatchObject({ verdict: 'fail', badge: 'mismatch' });
});
