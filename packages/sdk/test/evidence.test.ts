import { createClient } from '@svc/sdk';
import { checkTimestamps, readCertificates } from '@svc/timestamp';
import { expect, test } from 'vitest';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

// OpenSSL stamped the file.
const vector = readVector('valid/stamped-evidence');
const { evidence, certificates, block_hashes: blockHashes } = vector;
const trust = trustOf(vector);
const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
const trusting = (pem?: string) => ({
  timestamps: (file: Parameters<typeof checkTimestamps>[0]) =>
    checkTimestamps(file, pem === undefined ? [] : readCertificates(pem), Date.now()),
});
const both = { require: ['chain', 'tsa'] } as const;
type Options = NonNullable<Parameters<typeof client.verifyEvidence>[1]>;
async function judge(options: Options, file: unknown = evidence): Promise<string> {
  const { result, witnesses } = await client.verifyEvidence(file as never, { trust, ...options });
  const words = witnesses.map(({ by, required, verdict, badge, time }) =>
    [by, required ? 'must' : 'may', verdict, badge, time === null ? 'timeless' : 'at a time'].join(' '),
  );
  return [result, ...words].join(', ');
}

test('each check passes, fails or waits separately, and only required checks must pass', async () => {
  const chain = 'chain must pass revoked at a time';
  const { witnesses: _, ...bare } = evidence;
  const stamps = trusting(certificates);
  for (const [options, expected, file] of [
    [{ blockHashes, ...stamps, ...both }, `pass, ${chain}, tsa must pass stamped at a time`],
    [{ blockHashes }, `pass, ${chain}, tsa may wait unjudged timeless`],
    [{ blockHashes, ...both }, `wait, ${chain}, tsa must wait unjudged timeless`],
    [{ blockHashes, ...trusting(), ...both }, `wait, ${chain}, tsa must wait unproven timeless`],
    [{ ...stamps, ...both }, 'wait, chain must wait unreachable timeless, tsa must pass stamped at a time'],
    [{ blockHashes }, `pass, ${chain}`, bare],
    [{ blockHashes, ...stamps, ...both }, `wait, ${chain}, tsa must wait none timeless`, bare],
  ] as [Options, string, unknown?][])
    expect(await judge(options, file)).toBe(expected);
});

test('a required time stamp needs no chain, and a wrong one fails, required or not', async () => {
  const alone = { ...trusting(certificates), require: ['tsa'] } as const;
  expect(await judge(alone)).toMatch(/^pass, chain may wait .*, tsa must pass stamped at a time$/);
  const wrong = structuredClone(evidence);
  wrong.witnesses[0].proof = wrong.witnesses[1].proof;
  for (const options of [alone, { blockHashes, ...trusting(certificates) }])
    expect(await judge(options, wrong)).toMatch(/^fail, .*fail mismatch timeless$/);
  const found = await client.verifyEvidence(evidence, { trust, blockHashes, ...trusting(certificates) });
  const [chain, tsa] = found.witnesses;
  expect(chain!.time).toBe(found.verification.chain.onchainTimestamp);
  expect(tsa!.detail).toContain(`It existed by ${tsa!.time}`);
});

test('rejects an unknown requirement', async () => {
  for (const require of [['moon'], []] as never[])
    await expect(client.verifyEvidence(evidence, { trust, require })).rejects.toThrow(TypeError);
});
