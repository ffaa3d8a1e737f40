import { createClient } from '@svc/sdk';
import { QUICKNET, TimelockError } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { madeAnswer } from '../../../testing/clients/example-answers.ts';

const { seals, beacon } = readVector('valid/blind-seals');
const [{ words, created_at, text }] = seals;
const seal = { content: words as string, created_at: created_at as string };

function clientOf(answer: (body: any) => object, status = 200) {
  const asked: { path: string; body: any }[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    retry: { attempts: 1 },
    fetch: (input, init) => {
      const body = init?.body === undefined ? null : JSON.parse(init.body as string);
      asked.push({ path: new URL(input as string | URL).pathname, body });
      return Promise.resolve(Response.json(answer(body), { status }));
    },
  });
  return { client, asked };
}
const round = (signature: string) => () => ({ chain: QUICKNET.hash, round: 1_000, signature });

test('opens a blind seal with the service’s signature, which it verifies', async () => {
  const { client, asked } = clientOf(round(beacon.signature));
  expect(await client.openBlind(seal)).toMatchObject({ verdict: 'pass', text, seal: { round: 1_000 } });
  expect(asked.map(({ path }) => path)).toEqual([`/api/v1/beacons/${QUICKNET.hash}/1000`]);

  const unexpected = { code: 'unexpected' };
  for (const forged of ['ab'.repeat(48), 'nothing'])
    await expect(clientOf(round(forged)).client.openBlind(seal)).rejects.toMatchObject(unexpected);
  const off = { error: { code: 'unprocessable', message: 'DRAND_URLS' } };
  await expect(clientOf(() => off, 422).client.openBlind(seal)).rejects.toMatchObject({ status: 422 });
});

test('makes no request with a signature or before the round', async () => {
  const { client, asked } = clientOf(() => ({}));
  expect((await client.openBlind(seal, { signature: beacon.signature })).text).toBe(text);
  expect((await client.openBlind(seal, { signature: 'ab'.repeat(48) })).badge).toBe('other-beacon');
  const plain = client.openBlind({ ...seal, content: 'Rain.' });
  await expect(plain).rejects.toThrow('are not a blind seal of the drand chain');
  await expect(client.openBlind({ content: null, created_at: null })).rejects.toThrow(TypeError);
  expect(asked).toEqual([]);
});

const about = { description: 'Herons', category_id: 'science' } as const;

test('never sends the text of a blind seal', async () => {
  const made = (etched: string) => (body: any) => madeAnswer(body, etched);
  const secret = 'None by then.';
  const body = { ...about, content: secret, sealed_until: '2099-01-01T00:00:00Z' };
  const { client, asked } = clientOf(made('2026-01-02T03:04:05.678Z'), 201);
  const etched = await client.etchBlind(body).catch((error: unknown) => error);
  expect(JSON.stringify(asked)).not.toContain(secret);
  expect(asked[0]?.body).toMatchObject({ mode: 'instant', description: 'Herons' });
  expect(asked[0]?.body.content).toMatch(/^svc-tlock:v1\|/);
  expect(etched).toMatchObject({ seal: { due: '2099-01-01T00:00:00.000Z' } });

  const late = clientOf(made('2099-06-01T00:00:00.000Z'), 201).client;
  await expect(late.etchBlind(body)).rejects.toMatchObject({ code: 'unexpected' });
});

test('rejects a text that cannot be sealed, and sends nothing', async () => {
  const { client, asked } = clientOf(() => ({}));
  const future = '2099-01-01T00:00:00Z';
  for (const [content, sealed_until, wrong] of [
    ['Rain.', '2020-01-01T00:00:00Z', RangeError],
    ['Rain.', 'soon', 'is not a valid time'],
    ...['2099-02-30T00:00:00Z', '2099-01-01T00:00:00', '2099-01-01', '2099-01-01T00:00Z'].map(
      (time) => ['Rain.', time, 'give RFC 3339 with Z or an offset'] as const,
    ),
    ['Rain.', '9999-12-31T23:59:59Z', 'beyond the rounds of the drand chain'],
    ['Rain.', '3000-01-01T00:00:00Z', 'beyond the rounds of the drand chain'],
    ['x'.repeat(1_001), future, TimelockError],
    [' ', future, TimelockError],
  ] as const)
    await expect(client.etchBlind({ ...about, content, sealed_until }), sealed_until).rejects.toThrow(wrong);
  expect(asked).toEqual([]);
});

test('sends stored words again unchanged', async () => {
  const { client, asked } = clientOf((body: any) => madeAnswer(body, '2026-01-02T03:04:05.678Z'), 201);
  const body = { ...about, content: 'None by then.', sealed_until: '2099-01-01T00:00:00Z' };
  const kept: string[] = [];
  const onSealed = (words: string) => void kept.push(words);
  await client.etchBlind(body, { onSealed, idempotencyKey: 'k' });
  await client.etchBlind(body, { words: kept[0]!, onSealed, idempotencyKey: 'k' });
  expect(kept).toHaveLength(1);
  expect(asked.map(({ body: sent }) => sent.content)).toEqual([kept[0], kept[0]]);
  const later = { ...body, sealed_until: '2098-01-01T00:00:00Z' };
  await expect(client.etchBlind(later, { words: kept[0]! })).rejects.toThrow('not sealed until sealed_until');
  await expect(client.etchBlind(body, { words: 'Rain.' })).rejects.toThrow(RangeError);
});

test('checks a future time by the clock of the service after its first answer', async () => {
  const ahead = new Date(Date.now() + 86_400_000);
  const headers = { date: ahead.toUTCString(), age: '3600' };
  const refusal = () =>
    Response.json({ error: { code: 'bad_request', message: '' } }, { status: 400, headers });
  const client = createClient({ baseUrl: 'http://service.test', fetch: async () => refusal() });
  const off = (await client.serverTime()) - Date.now();
  expect(off).toBeGreaterThan(86_400_000 + 3_600_000 - 60_000);
  expect(off).toBeLessThan(86_400_000 + 3_600_000 + 60_000);
  const body = { ...about, content: 'Rain.', sealed_until: new Date(Date.now() + 3_600_000).toISOString() };
  await expect(client.etchBlind(body)).rejects.toThrow(/the service’s clock says \S+, this machine’s \S+/);
  const refused = await client.me().catch((error: unknown) => error);
  expect(refused).toMatchObject({ serverTime: Date.parse(headers.date) + 3_600_000 });
});
