import { createClient } from '@svc/sdk';
import { checkTimestamps, readCertificates } from '@svc/timestamp';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

// OpenSSL stamped the file.
const {
  evidence,
  certificates,
  trust: named,
  block_hashes: blockHashes,
} = readVector('valid/stamped-evidence');
const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = named;
const trust = { chainId, contract, schemaUid, relayers };
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
  expect(await judge({ blockHashes, ...trusting(certificates), ...both })).toBe(
    `pass, ${chain}, tsa must pass stamped at a time`,
  );
  expect(await judge({ blockHashes })).toBe(`pass, ${chain}, tsa may wait unjudged timeless`);
  expect(await judge({ blockHashes, ...both })).toBe(`wait, ${chain}, tsa must wait unjudged timeless`);
  expect(await judge({ blockHashes, ...trusting(), ...both })).toBe(
    `wait, ${chain}, tsa must wait unproven timeless`,
  );
  expect(await judge({ ...trusting(certificates), ...both })).toBe(
    'wait, chain must wait unreachable timeless, tsa must pass stamped at a time',
  );
  const bare = { ...evidence, witnesses: undefined };
  delete bare.witnesses;
  expect(await judge({ blockHashes }, bare)).toBe(`pass, ${chain}`);
  expect(await judge({ blockHashes, ...trusting(certificates), ...both }, bare)).toBe(
    `wait, ${chain}, tsa must wait none timeless`,
  );
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
  for (const require of [['moon'], []])
    await expect(client.verifyEvidence(evidence, { trust, require: require as never })).rejects.toThrow(
      TypeError,
    );
});
