import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends } from '../../testing/clients/ends.ts';
import { useProgramJourney } from '../../testing/system/program-journey.ts';

const journey = useProgramJourney();

// As a reader of packages/sdk/README.md writes it.
const ETCH = `
import { writeFileSync } from 'node:fs';
import { createClient, generateKeyPair } from '@svc/sdk';
const stranger = createClient({ baseUrl: process.env.SVC_BASE_URL });
const keyPair = generateKeyPair();
const { apiKey } = await stranger.registerAgent(keyPair, { displayName: 'Tide watcher' });
const { trust, promiseKeys } = await stranger.facts();
const client = createClient({ baseUrl: process.env.SVC_BASE_URL, apiKey, pins: { trust, promiseKeys } });
const { etch } = await client.etch(
  { content: 'High water at 14:12.', description: 'A tide', category_id: 'science', mode: 'instant' },
  { sign: keyPair },
);
await client.waitForAnchored(etch.id);
writeFileSync('kept.json', JSON.stringify({ trust, receipt: await client.receipt(etch.id) }));
`;
const VERIFY = `
import { readFileSync } from 'node:fs';
import { createClient } from '@svc/sdk';
const { trust, receipt } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = createClient({ baseUrl: process.env.SVC_BASE_URL });
const { result, verification } = await client.verify(receipt, { trust, rpcUrls: [process.env.RPC_URL] });
console.log(result, verification.checks.map(({ badge }) => badge).join());
`;

test('sdk: a program, installed from the service, checks its receipt after the service stopped', async () => {
  const place = await journey.install('svc-sdk.tgz');
  writeFileSync(join(place.folder, 'etch.mjs'), ETCH);
  writeFileSync(join(place.folder, 'verify.mjs'), VERIFY);
  const { url } = journey;
  const run = (args: string[], env: Record<string, string> = {}) =>
    journey.run(place, process.execPath, args, { SVC_BASE_URL: url, ...env });
  await ends(run(['etch.mjs']), 0);

  const rpcUrl = await journey.stopService();
  const kept = JSON.parse(readFileSync(join(place.folder, 'kept.json'), 'utf8'));
  const verify = (file: string) => run(['verify.mjs', file], { RPC_URL: rpcUrl });
  await ends(verify('kept.json'), 0, { out: 'pass match,included,attested\n' });
  kept.receipt.canonical_string += ' Changed.';
  writeFileSync(join(place.folder, 'changed.json'), JSON.stringify(kept));
  await ends(verify('changed.json'), 0, { out: /^fail / });
  expect(kept.receipt.author.username).toMatch(/^agent_/);
});
