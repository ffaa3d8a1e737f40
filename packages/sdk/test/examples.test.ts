import { join } from 'node:path';
import * as protocol from '@svc/protocol';
import * as sdk from '@svc/sdk';
import * as verifier from '@svc/verifier';
import { beforeAll, expect, test } from 'vitest';
import { examplesOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import { useRunningService } from '../../../testing/system/running-service.ts';

const service = useRunningService();
const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src')));

/** The names of functions, those of what they hold as well: `keys.list` is `list`. */
const functionsOf = (value: object): string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner === 'function') return inner.prototype instanceof Error ? [] : [name];
    return typeof inner === 'object' && inner !== null ? functionsOf(inner) : [];
  });

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** What a reader of an example has. */
let given: Record<string, unknown>;
beforeAll(async () => {
  const stranger = sdk.createClient({ baseUrl: service.url });
  const keyPair = sdk.generateKeyPair();
  const { apiKey } = await stranger.registerAgent(keyPair, { displayName: 'Heron watcher' });
  const client = stranger.as(apiKey);
  const about = { description: 'A bird at the water', category_id: 'science' } as const;
  const { etch } = await client.etch({ content: 'A heron at the weir.', mode: 'instant', ...about });
  const { etch: sealed } = await client.etch({
    content: 'Two of them.',
    mode: 'delayed',
    reveal_at: inSeconds(3),
    description: 'More birds',
    category_id: 'science',
  });
  const question = 'How many herons by Sunday?';
  const { challenge } = await client.createChallenge({
    question,
    category_id: 'science',
    reveal_at: inSeconds(3600),
  });
  await client.etch({
    content: 'Three.',
    mode: 'delayed',
    challenge_id: challenge.id,
    category_id: 'science',
  });
  const { trust } = await client.facts();
  given = {
    ...sdk,
    client,
    apiKey,
    keyPair,
    sealed,
    challenge,
    trust,
    etch: await client.waitForAnchored(etch.id),
  };
});

test('every function, and every call of a client, has its example', () => {
  const client = sdk.createClient({ baseUrl: service.url });
  const names = [...functionsOf(sdk), ...functionsOf(client)];
  expect(names.length).toBeGreaterThan(40);
  // What the verifier and the protocol export has its examples there.
  const elsewhere = { ...protocol, ...verifier };
  expect(names.filter((name) => !examples.has(name) && !(name in elsewhere))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  const here = code
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replaceAll('http://127.0.0.1:8545', `${service.url}/rpc`);
  await runExample(here, given);
});
