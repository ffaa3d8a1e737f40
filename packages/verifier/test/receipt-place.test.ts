import { hexToBytes, parseReceipt } from '@svc/protocol';
import { parsePolicy } from '@svc/protocol/tlog';
import { checkOmission, parseOmission, readReceiptPlace } from '@svc/verifier/account-index';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { keyOf, smallLog } from './support/small-log.ts';

const { omission } = readVector('valid/omissions').omissions[0];
const receipt = parseReceipt(omission.receipt);
const { user_id: userId } = receipt.author;
const tree = hexToBytes(omission.tree.data);
const other = hexToBytes(omission.tree.data.replace(/^./, '0'));
const policy = parsePolicy(readVector('valid/tlog').policy);
const trust = { keys: [keyOf('svc.example/log')], policy: null, indexWitnesses: [], now: 2e9 };

const place = async (
  log: Partial<Parameters<typeof smallLog>[0]>,
  { attestedAt = null, ...more }: { attestedAt?: string | null; policy?: typeof policy } = {},
) => {
  const { reader } = await smallLog({ userId, log: [tree, other], ...log });
  return readReceiptPlace(reader, receipt, { ...trust, ...more }, attestedAt);
};

test('proves an omission from the entries of the log', async () => {
  const { check, omission: file } = await place({});
  expect(check).toMatchObject({ verdict: 'fail', badge: 'omitted' });
  expect(checkOmission(parseOmission(file), trust).covered).toBe(2);
});

test.each([
  ['one byte of the tree changed', (log: Uint8Array[]) => [other, ...log.slice(1)]],
  ['the tree behind what the index covers', ([first, ...log]: Uint8Array[]) => [log[0]!, log[0]!, first!]],
])('convicts a log that serves other entries than it signed: %s', async (_, serve) => {
  expect((await place({ serve })).check).toMatchObject({
    verdict: 'fail',
    badge: 'contradicted',
    detail: 'The entries of the log do not make the root of its checkpoint.',
  });
});

test('a wrong cosignature does not protect an omission', async () => {
  const [{ name, id }] = policy.witnesses.map(({ key }) => key) as [ReturnType<typeof keyOf>];
  const line = Buffer.concat([Buffer.from(id, 'hex'), Buffer.alloc(72, 1)]).toString('base64');
  const { check, omission: file } = await place({ cosignatures: `— ${name} ${line}\n` }, { policy });
  expect(check).toMatchObject({ verdict: 'fail', badge: 'omitted' });
  expect(checkOmission(parseOmission(file), { ...trust, policy }).covered).toBe(2);
});

test.each([
  ['a day and an hour', 25, { verdict: 'fail', badge: 'absent' }],
  ['23 hours', 23, { verdict: 'wait', badge: 'absent' }],
  ['an unknown time', null, { verdict: 'wait', badge: 'absent' }],
])('a tree that the log lacks %s after its attestation', async (_, hours, expected) => {
  const attestedAt = hours === null ? null : new Date((trust.now - hours * 3600) * 1000).toISOString();
  expect((await place({ log: [other] }, { attestedAt })).check).toMatchObject(expected);
});
