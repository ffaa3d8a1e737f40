import { createClient, generateKeyPair } from '@svc/sdk';
import type { Client, Etch, MisfitError } from '@svc/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../testing/json.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { startChangingService } from '../../../testing/system/changing-service.ts';
import type { ChangingService } from '../../../testing/system/changing-service.ts';

const real = useSharedService();
const LATER = '2099-01-02T03:04:05.678Z';
let service: ChangingService;
let client: Client;
let [sealed, other]: Etch[] = [];
let challenge: { id: string; code: string };
let otherChallenge: string;

beforeAll(async () => {
  service = await startChangingService(real.url);
  const { apiKey } = await createClient({ baseUrl: real.url }).registerAgent(generateKeyPair());
  client = createClient({ baseUrl: service.url, apiKey });
  const about = { description: 'A bird', category_id: 'science', mode: 'delayed', reveal_at: LATER } as const;
  const seal = async (content: string) => (await client.etch({ ...about, content })).etch;
  [sealed, other] = [await seal('A heron.'), await seal('A swan.')];
  const ask = async (question: string) =>
    (await client.createChallenge({ question, category_id: 'science', reveal_at: LATER })).challenge.id;
  ({ challenge } = await client.getChallenge(await ask('How many herons?')));
  otherChallenge = await ask('How many swans?');
}, 120_000);
afterAll(() => service.stop());

async function misfitsOf(change: (operation: string, body: Json) => Json, call: () => Promise<unknown>) {
  service.change = change;
  try {
    const none = { misfits: [] } as unknown as MisfitError;
    const { misfits } = await call().then(
      () => none,
      (error: MisfitError) => error,
    );
    return misfits.map(({ field }) => field);
  } finally {
    service.change = undefined;
  }
}

test('rejects a different etch at the address of a code', async () => {
  const page = `${real.url}/e/${other!.code}`;
  const { etch: shown } = await (await fetch(page, { headers: { accept: 'application/json' } })).json();
  const find = () => client.findByCode(sealed!.code);
  expect(await find()).toMatchObject({ id: sealed!.id });
  const isPage = (operation: string): boolean => operation === `/e/${sealed!.code}`;
  expect(await misfitsOf((at, body) => (isPage(at) ? { etch: shown } : body), find)).toEqual(['etch.code']);
  const renamed = (at: string, body: Json): Json => {
    if (isPage(at)) body.etch.id = other!.id;
    return body;
  };
  expect(await misfitsOf(renamed, find)).toEqual(['etch.url']);
});

test('rejects a different challenge at the address of a code', async () => {
  const find = () => client.findChallengeByCode(challenge.code);
  expect(await find()).toBe(challenge.id);
  const { challenge: shown, ...rest } = await client.getChallenge(otherChallenge);
  const swap = (at: string, body: Json): Json =>
    at === `/ch/${challenge.code}` ? { challenge: shown, ...rest } : body;
  expect(await misfitsOf(swap, find)).toEqual(['challenge.code']);
});

const CHANGES: readonly [string, (etch: Json) => void][] = [
  ['hash', (etch) => (etch.hash = 'ab'.repeat(32))],
  ['description', (etch) => (etch.description = 'A fish')],
  ['category.id', (etch) => (etch.category.id = 'sports')],
  ['reveal_at', (etch) => (etch.reveal_at = '2099-01-02T03:04:05.679Z')],
  ['created_on', (etch) => (etch.created_on = '2001-01-01')],
  ['code', (etch) => Object.assign(etch, JSON.parse(JSON.stringify(etch).replaceAll(etch.code, 'abcdef')))],
];

test.each(CHANGES)('rejects a look that shows a different %s than the known etch', async (field, change) => {
  const look = (at: string, body: Json): Json => {
    if (at === 'getEtch') {
      Object.assign(body.etch, structuredClone(sealed));
      change(body.etch);
    }
    return body;
  };
  const wait = () => client.waitForAnchored(sealed!.id, { etch: sealed, timeoutMs: 1_000 });
  expect(await misfitsOf(look, wait)).toEqual([`etch.${field}`]);
});

test.each(CHANGES)('rejects a tombstone with a different %s than the etch before', async (field, change) => {
  const retracted = (at: string, body: Json): Json => {
    if (at === 'retractEtch') change(body.etch);
    return body;
  };
  const named = await misfitsOf(retracted, () => client.retract(other!.id));
  expect(named).toContain(`etch.${field}`);
});
