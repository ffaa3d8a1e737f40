import type { Receipt } from '@svc/protocol';
import { expect, test } from 'vitest';
import { checkAuthor, isDevelopmentChain, trustChanges } from '../src/index.ts';
import type { Verification } from '../src/index.ts';
import { receiptVectors } from '../../../testing/vectors/receipts.ts';

const [key, other] = ['a'.repeat(64), 'b'.repeat(64)];
const words = (verdict: string) => ({ checks: [{ verdict }] }) as unknown as Verification;
const signed = (publicKey: string | null) =>
  ({ signature: publicKey === null ? null : { value: '', public_key: publicKey } }) as Receipt;
const judge = (publicKey: string | null, verdict = 'pass', listedBy: string | null = null) =>
  checkAuthor(signed(publicKey), words(verdict), { key, listedBy });

test('judges the author’s key, a different key, no signature, and words that fail their check', () => {
  expect(judge(key)).toMatchObject({ verdict: 'pass', badge: 'signed' });
  expect(judge(other)).toMatchObject({ verdict: 'fail', badge: 'other-key' });
  expect(judge(null)).toMatchObject({ verdict: 'wait', badge: 'unsigned' });
  expect(judge(key, 'fail')).toMatchObject({ verdict: 'wait', badge: 'unproven' });
});

test('says that a key listed by a service is not proven', () => {
  expect(judge(key, 'pass', 'https://svc.example.org').detail).toContain(
    'the key that https://svc.example.org lists for the account, which is not proven',
  );
});

test('recognizes development chains', () => {
  const chains = [1337, 31337, 1, 11155111];
  expect(chains.filter((chainId) => isDevelopmentChain({ chainId }))).toEqual([1337, 31337]);
});

test('names changes of a trust, ignoring case and order', () => {
  const [, { trust }] = receiptVectors()[0]!;
  const one = { chainId: 1, contract: trust.contract, schemaUid: trust.schema_uid, relayers: trust.relayers };
  expect(trustChanges(one, { ...one, contract: one.contract.toUpperCase().replace('0X', '0x') })).toEqual([]);
  expect(trustChanges(one, { ...one, chainId: 2 })).toEqual(['chain id: 1 became 2']);
  const contract = `0x${'7'.repeat(40)}`;
  expect(trustChanges(one, { ...one, contract })).toEqual([`contract: ${one.contract} became ${contract}`]);
  const schemaUid = `0x${'7'.repeat(64)}`;
  expect(trustChanges(one, { ...one, schemaUid })).toEqual([`schema: ${one.schemaUid} became ${schemaUid}`]);
  const [relayer] = one.relayers;
  const two = { ...one, relayers: [contract, relayer!] };
  expect(trustChanges(two, { ...one, relayers: [relayer!, contract, relayer!] })).toEqual([]);
  expect(() => trustChanges(one, { ...one, relayers: [relayer!, '0x12'] })).toThrow(
    'a relayer is not an address',
  );
  expect(trustChanges(one, { ...one, relayers: [`0x${'7'.repeat(40)}`] })[0]).toMatch(
    /^relayers: 0x.* became 0x7+$/,
  );
});
