import { createClient } from '@svc/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { seeded } from '../../../testing/seeded.ts';
import { startChangingService, withChange } from '../../../testing/system/changing-service.ts';
import type { ChangingService } from '../../../testing/system/changing-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { pinsOf, useStdio } from './support/stdio.ts';
import { text } from './support/tools.ts';

const real = useSharedService();
let service: ChangingService;
const { connectHere, newAccount } = useStdio({
  get url() {
    return service.url;
  },
});
let account: Record<string, string>;
let etched: string;

beforeAll(async () => {
  service = await startChangingService(real.url);
  const { trust } = await createClient({ baseUrl: real.url }).facts();
  account = { ...(await newAccount()), ...pinsOf(trust), XDG_CONFIG_HOME: newFolder('config') };
  const client = createClient({ baseUrl: real.url, apiKey: account['SVC_API_KEY'] });
  const about = { description: 'A bird', category_id: 'science' } as const;
  const { etch } = await client.etch({ ...about, content: 'A heron.', mode: 'instant' });
  await client.waitForAnchored(etch.id, { timeoutMs: 90_000 });
  etched = etch.id;
}, 200_000);
afterAll(() => service.stop());

// packages/sdk/test/changed-answers.test.ts changes every field of every answer.
test.each<[tool: string, input: () => object, operation: string, field: string[]]>([
  ['etch', () => ({ ...text, idempotency_key: 'm1' }), 'createEtch', ['etch', 'content']],
  ['show', () => ({ id: etched }), 'getEtch', ['etch', 'hash']],
])('%s answers an error for a changed field', async (tool, input, operation, field) => {
  const { call, raw } = await connectHere(account);
  service.change = undefined;
  await call(tool, { ...input() });
  service.change = (answered, body) => (answered === operation ? withChange(body, field, seeded(1)) : body);
  expect(await raw(tool, { ...input() })).toMatchObject({ isError: true });
});

test('verify never passes when a proxy changes a field that counts', async () => {
  const { call, raw } = await connectHere({ ...account, SVC_RPC_URL: `${real.url}/rpc` });
  service.change = undefined;
  expect(await call('verify', { id: etched })).toMatchObject({ result: 'pass' });
  for (const field of [['canonical_string'], ['inclusion', 'root'], ['chain', 'attestation_uid']]) {
    service.change = (answered, body) =>
      answered === 'getReceipt' ? withChange(body, field, seeded(1)) : body;
    const { isError, content } = await raw('verify', { id: etched });
    expect(isError === true || JSON.parse(content[0]!.text).result !== 'pass', field.join('.')).toBe(true);
  }
});
