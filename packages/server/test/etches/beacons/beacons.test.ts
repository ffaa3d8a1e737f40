import type { RequestListener } from 'node:http';
import { isBeacon, parseChainInfo } from '@svc/protocol/timelock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { localChain } from '../../../../../testing/beacon/chain.mjs';
import { type Beacon, startBeacon } from '../../../../../testing/beacon/start-beacon.ts';
import { type LocalServer, startServer } from '../../../../../testing/machine/server.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { createBeacons } from '../../../src/etches/beacons/beacons.ts';
import { createSlots } from '../../../src/platform/flow/slots.ts';

const GENESIS = 1_700_000_000;
const local = localChain({ genesis: GENESIS, period: 3 });
const other = localChain({ genesis: GENESIS, period: 3, seed: 'another chain' });
const chain = parseChainInfo(local.info);

let beacon: Beacon;
const service = useService(async () => {
  beacon = await startBeacon({ genesis: GENESIS, period: 3 });
  await beacon.reach(1_000);
  return { settings: { ...beacon.settings, DRAND_URLS: `http://127.0.0.1:9,${beacon.url}/` } };
});
afterAll(() => beacon.stop());
const ask = (hash: string, round: number | string) => service.get(`/api/v1/beacons/${hash}/${round}`);

test('relays a due round of the pinned chain, and no other chain', async () => {
  const { status, body, headers } = await ask(chain.hash, 1_000);
  expect([status, body]).toEqual([200, { chain: chain.hash, round: 1_000, signature: local.sign(1_000) }]);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');

  const another = await ask(other.info.hash, 1_000);
  expect([another.status, another.body.error.message]).toEqual([404, expect.stringContaining(chain.hash)]);
  for (const none of ['0', '01', '1e3', 'latest', '-1', '10000000000'])
    expect((await ask(chain.hash, none)).status).toBe(404);
  expect((await ask(chain.hash.toUpperCase(), 1)).status).toBe(404);
});

test('does not return a future round, even if a relay has it', async () => {
  await beacon.reach(9_999_999_999);
  const early = await ask(chain.hash, 9_000_000_000);
  expect([early.status, early.body.error.code]).toEqual([422, 'unprocessable']);
  expect(early.body.error.message).toMatch(/^round 9000000000 is not published yet: it is due at 2\d{3}-/);
  expect(early.headers.get('cache-control')).not.toContain('immutable');
});

const servers: LocalServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
async function relay(answer: RequestListener): Promise<string> {
  const server = await startServer(answer);
  servers.push(server);
  return server.url;
}
const says = (value: unknown, status = 200) =>
  relay((_, response) =>
    response.writeHead(status).end(typeof value === 'string' ? value : JSON.stringify(value)),
  );
const slow = () => relay(() => undefined);
const good = () => says({ round: 7, signature: local.sign(7) });

const now = (GENESIS + 1_000) * 1000;
function reader(relays: readonly string[], { timeoutMs = 10_000, pinned = true } = {}) {
  const reasons: unknown[] = [];
  let counted = 0;
  const beacons = createBeacons({
    clock: { now: () => now },
    chain: pinned ? chain : undefined,
    relays,
    timelock: { isBeacon: (of, round, signature) => Promise.resolve(isBeacon(of, round, signature)) },
    slots: createSlots({ slots: 2, queue: 2, patience: 1_000, what: 'rounds' }),
    log: { warn: (fields) => void reasons.push((fields as { reason: string }).reason) },
    timeoutMs,
  });
  const read = (round: number | string = 7) =>
    beacons.read(chain.hash, String(round), { who: 'ada', count: () => Promise.resolve(counted++) });
  return { read, reasons, counted: () => counted };
}

const signed = (round: number, signature: string) => () => says({ round, signature });
const redirect = async () => {
  const target = await good();
  return relay((_, response) => response.writeHead(302, { location: target }).end());
};
const FAULTS: [string, () => Promise<string>, RegExp][] = [
  ['lacks the round', () => says({ error: 'no such round' }, 404), /^it answered 404$/],
  ['forges', signed(7, local.sign(8)), /^its signature of round 7 is not valid/],
  ['signs for another chain', signed(7, other.sign(7)), /^its signature of round 7 is not valid/],
  ['answers another round', signed(8, local.sign(7)), /^it answered a different round/],
  ['answers no curve point', signed(7, 'f'.repeat(96)), /^its signature of round 7 is not valid/],
  ['answers no signature', signed(7, local.sign(7).toUpperCase()), /^its signature is not 96/],
  ['answers without JSON', () => says('<html>'), /^it answered a different round/],
  ['answers too much', () => says(`${' '.repeat(20_000)}1`), /its answer is too long$/],
  ['redirects', redirect, /^it cannot be reached/],
  ['is down', () => Promise.resolve('http://127.0.0.1:9'), /^it cannot be reached/],
];

const failure = (code: string, word: string) => ({ code, message: expect.stringContaining(word) as string });

test.each(FAULTS)('logs and ignores a relay that %s', async (_what, start, reason) => {
  const { read, reasons } = reader([await start()]);
  await expect(read()).rejects.toMatchObject(failure('service_unavailable', 'DRAND_URLS'));
  expect(reasons).toEqual([expect.stringMatching(reason)]);
});

test('gives up a relay that never answers', async () => {
  const { read, reasons } = reader([await slow()], { timeoutMs: 20 });
  await expect(read()).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(reasons).toEqual(['it did not answer in time']);
});

test('a bad relay does not delay a good one', async () => {
  const bad = await Promise.all(FAULTS.map(([, start]) => start()));
  // With a timeout of an hour, the test would not end if it waited for the slow relay.
  const { read, reasons } = reader([await slow(), ...bad, await good()], { timeoutMs: 3_600_000 });
  expect((await read()).signature).toBe(local.sign(7));
  expect(reasons).not.toContain('it did not answer in time');
});

test('requests a round once for concurrent clients, and charges the first', async () => {
  let requests = 0;
  const url = await relay((_, response) => {
    requests++;
    response.end(JSON.stringify({ round: 7, signature: local.sign(7) }));
  });
  const { read, counted } = reader([url]);
  await Promise.all([read(), read(), read()]);
  await read();
  expect([requests, counted()]).toEqual([1, 3]);
});

test('rejects rounds beyond the slots', async () => {
  const { read } = reader([await slow()], { timeoutMs: 50 });
  const refused = await Promise.allSettled([1, 2, 3, 4, 5].map((round) => read(round)));
  expect(refused.map((one) => (one as PromiseRejectedResult).reason.message)).toContainEqual(
    expect.stringContaining('too many rounds at once'),
  );
});

test('names the setting if there are no relays or no chain', async () => {
  await expect(reader([]).read()).rejects.toMatchObject(failure('unprocessable', 'DRAND_URLS'));
  const unpinned = reader([], { pinned: false });
  await expect(unpinned.read()).rejects.toMatchObject(failure('not_found', 'DRAND_CHAIN'));
});
