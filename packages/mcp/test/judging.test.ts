import { QUICKNET } from '@svc/protocol/timelock';
import type { Settings } from '@svc/mcp';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { clientOf, toolsOf } from './support/tools.ts';

const stamped = readVector('valid/stamped-evidence');
const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = stamped.trust;
const trust = { chainId, contract, schemaUid, relayers };
const id = stamped.evidence.receipt.etch_id as string;

const connect = async (settings: Partial<Settings> = {}) =>
  toolsOf(
    await clientOf({
      trust,
      drand: QUICKNET,
      fetch: () => Promise.resolve(Response.json(stamped.evidence)),
      ...settings,
    }),
  );

const both = { id, block_hashes: stamped.block_hashes, require: ['chain', 'tsa'] };
const says = ({ result, witnesses }: any): string =>
  [result, ...witnesses.map(({ by, verdict, badge }: any) => `${by} ${verdict} ${badge}`)].join(', ');

test('evidence checks chain and time stamp separately, as the caller requires', async () => {
  const { call, refusal } = await connect();
  const tsa_certificates = stamped.certificates as string;
  const all = await call('evidence', { ...both, tsa_certificates });
  expect(says(all)).toBe('pass, chain pass revoked, tsa pass stamped');
  expect(all.witnesses[1].detail).toContain(`It existed by ${all.witnesses[1].time} `);
  expect(says(await call('evidence', both))).toBe('wait, chain pass revoked, tsa wait unjudged');
  const alone = await call('evidence', { id, require: ['tsa'], tsa_certificates });
  expect(says(alone)).toBe('pass, chain wait unreachable, tsa pass stamped');
  expect(alone.meaning).toContain('the chain was not required');
  expect(await refusal('evidence', { ...both, tsa_certificates: 'none' })).toMatchObject({
    code: 'bad_input',
  });
});

test('evidence uses only the operator’s certificates', async () => {
  const other = readVector('valid/timestamp-curve').certificates as string;
  const theirs = await connect({ tsaCertificates: other });
  expect(says(await theirs.call('evidence', both))).toBe('fail, chain pass revoked, tsa fail mismatch');
  const given = { ...both, tsa_certificates: stamped.certificates as string };
  expect((await theirs.refusal('evidence', given)).message).toContain('omit tsa_certificates');
});

test('open opens a file with the signature of its round, without a request', async () => {
  const { call, refusal } = await connect({ fetch: () => Promise.reject(new Error('no request')) });
  const { openings, beacon, chain } = readVector('valid/openings');
  const [{ opening }, broken] = openings;
  expect(await call('open', { opening })).toMatchObject({ result: 'wait', badge: 'sealed', untrusted: null });
  const opened = await call('open', { opening, beacon: beacon.signature, chain });
  expect(opened).toMatchObject({ result: 'pass', untrusted: { content: 'It will rain on Sunday.' } });
  const promise_keys = [broken.opening.public_key];
  const judged = await call('open', { opening: broken.opening, beacon: beacon.signature, promise_keys });
  expect(judged).toMatchObject({ result: 'fail', badge: 'broken', untrusted: null });
  expect(await refusal('open', { opening: { ...opening, more: 1 } })).toMatchObject({ code: 'bad_input' });
});

test('seal_blind sends only the ciphertext', async () => {
  const sent: string[] = [];
  const refused = { error: { code: 'unprocessable', message: 'seen enough' } };
  const { refusal } = await connect({
    apiKey: 'svc_sk_test',
    fetch: (_, init) => {
      sent.push(init?.body as string);
      return Promise.resolve(Response.json(refused, { status: 422 }));
    },
  });
  const text = { content: 'The bittern booms.', description: 'A bird', topic: 'science' };
  const until = { reveal_at: '2099-01-01T00:00:00Z' };
  expect(await refusal('seal_blind', { ...text, ...until })).toMatchObject({ message: 'seen enough' });
  expect(sent.map((body) => JSON.parse(body))).toMatchObject([
    { mode: 'instant', content: expect.stringMatching(/^svc-tlock:v1\|/) },
  ]);
  expect(sent.join()).not.toContain('bittern');
  for (const bad of [
    { ...text, ...until, content: 'x'.repeat(1_001) },
    { ...text, reveal_at: '2020-01-01T00:00:00Z' },
  ])
    expect(await refusal('seal_blind', bad)).toMatchObject({ code: 'bad_input' });
  expect(sent).toHaveLength(1);
});
