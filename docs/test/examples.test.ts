import { join } from 'node:path';
import * as protocol from '@svc/protocol';
import * as sdk from '@svc/sdk';
import { checkTimestamps, readCertificates } from '@svc/timestamp';
import * as verifier from '@svc/verifier';
import * as requests from '@svc/verifier/requests';
import { beforeAll, describe, test } from 'vitest';
import { readVector } from '../../testing/vectors/vectors.ts';
import { examplesOf, runExample, sourcesOf } from '../../testing/examples.ts';
import { useRunningService } from '../../testing/system/running-service.ts';
import { root } from '../../testing/repository.ts';

// The examples of protocol need no service and run in its own tests.
const service = useRunningService();
const examplesIn = (name: string) => examplesOf(sourcesOf(join(root, 'packages', name, 'src')));

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** The examples use these without a definition. */
let given: Record<string, unknown>;
beforeAll(async () => {
  const stranger = sdk.createClient({ baseUrl: service.url });
  const keyPair = sdk.generateKeyPair();
  const { apiKey } = await stranger.registerAgent(keyPair, { displayName: 'Heron watcher' });
  const client = stranger.as(apiKey);
  const about = { description: 'A bird at the water', category_id: 'science' } as const;
  const heron = { content: 'A heron at the weir.', mode: 'instant', ...about } as const;
  const made = await client.etch(heron, { sign: keyPair });
  const delayed = { mode: 'delayed', category_id: 'science' } as const;
  const later = { content: 'Two of them.', description: 'More birds', reveal_at: inSeconds(10), ...delayed };
  const { etch: sealed } = await client.etch(later);
  const question = { question: 'How many herons by Sunday?', category_id: 'science' } as const;
  const { challenge } = await client.createChallenge({ ...question, reveal_at: inSeconds(3600) });
  await client.etch({ content: 'Three.', challenge_id: challenge.id, ...delayed });
  const etch = await client.waitForAnchored(made.etch.id);
  const { trust, promiseKeys } = await client.facts();
  const chain = verifier.rpcChain({ urls: [`${service.url}/rpc`] });
  const { promise } = made;
  const records = { etch, sealed, challenge, promise, receipt: await client.receipt(etch.id) };
  given = {
    ...protocol,
    ...verifier,
    ...requests,
    ...sdk,
    ...records,
    client,
    apiKey,
    keyPair,
    trust,
    promiseKeys,
    chain,
    checkTimestamps,
    readCertificates,
    pem: readVector('valid/stamped-evidence').certificates,
  };
});

describe.each(['verifier', 'sdk'])('%s', (name) => {
  const examples = examplesIn(name);

  test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
    const here = code
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('http://127.0.0.1:8545', `${service.url}/rpc`);
    await runExample(here, given);
  });
});
