import { createClient } from '@svc/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  alterations,
  type ChangingService,
  leavesOf,
  nameOf,
  startChangingService,
  withChange,
} from '../../../testing/system/changing-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { etchAt, isUnchecked } from '../../../testing/system/unchecked-fields.ts';
import { useStdio } from './support/stdio.ts';
import { text } from './support/tools.ts';

const real = useSharedService();
let service: ChangingService;
const { connectHere, newAccount } = useStdio({
  get url() {
    return service.url;
  },
});
let account: Record<string, string>;
let made: { signed: string };

beforeAll(async () => {
  service = await startChangingService(real.url);
  const { trust } = await createClient({ baseUrl: real.url }).facts();
  account = {
    ...{ ...(await newAccount()), XDG_CONFIG_HOME: newFolder('config') },
    ...{ SVC_CHAIN_ID: String(trust.chainId), SVC_ATTESTATION_CONTRACT: trust.contract },
    ...{ SVC_SCHEMA_UID: trust.schemaUid, SVC_RELAYERS: trust.relayers.join() },
  };
  const client = createClient({ baseUrl: real.url, apiKey: account['SVC_API_KEY'] });
  const about = { description: 'A bird', category_id: 'science' } as const;
  const { etch } = await client.etch({ ...about, content: 'A heron.', mode: 'instant' });
  await client.waitForAnchored(etch.id, { timeoutMs: 90_000 });
  made = { signed: etch.id };
}, 200_000);
afterAll(() => service.stop());

/** packages/sdk/test/changed-answers.test.ts changes every field of every answer. */
const TOOLS: Readonly<Record<string, [tool: string, input: () => Record<string, unknown>]>> = {
  etch: ['etch', () => ({ ...text, idempotency_key: 'm1' })],
  show: ['show', () => ({ id: made.signed })],
};

test.each(Object.keys(TOOLS))(
  '%s answers an error for each changed or deleted field that a client can check',
  async (name) => {
    const { raw } = await connectHere(account);
    const [tool, input] = TOOLS[name]!;
    service.change = undefined;
    service.answered.length = 0;
    const honest = await raw(tool, input());
    expect(honest.isError, honest.content[0]!.text).not.toBe(true);
    const dice = seeded(1);
    const missed: string[] = [];
    for (const { operation, body } of [...service.answered])
      for (const leaf of leavesOf(body)) {
        const field = nameOf(leaf);
        if (isUnchecked(operation, field, etchAt(body, leaf))) continue;
        for (const [how, changed] of alterations(body, leaf, dice)) {
          service.change = (answered, given) => (answered === operation ? changed : given);
          // The official client rejects an answer that does not match the listed schema.
          const { isError } = await raw(tool, input()).catch(() => ({ isError: true }));
          if (isError !== true) missed.push(`${operation} ${how} ${field}`);
        }
      }
    service.change = undefined;
    expect(missed).toEqual([]);
  },
);

test('verify never passes when a proxy changes a field that counts', async () => {
  const { call, raw } = await connectHere({ ...account, SVC_RPC_URL: `${real.url}/rpc` });
  service.change = undefined;
  service.answered.length = 0;
  expect(await call('verify', { id: made.signed })).toMatchObject({ result: 'pass' });
  const { body } = service.answered.find(({ operation }) => operation === 'getReceipt')!;
  const dice = seeded(1);
  const passed: string[] = [];
  for (const leaf of leavesOf(body)) {
    const changed = withChange(body, leaf, dice);
    service.change = (operation, given) => (operation === 'getReceipt' ? changed : given);
    const { isError, content } = await raw('verify', { id: made.signed });
    if (isError !== true && JSON.parse(content[0]!.text).result === 'pass') passed.push(nameOf(leaf));
  }
  service.change = undefined;
  expect(passed.filter((field) => !isUnchecked('getReceipt', field, undefined))).toEqual([]);
  expect(passed).not.toContain('chain.attestation_uid');
});
