import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeReceipt } from '../../src/etches/receipt.ts';
import { findEtches } from '../../src/etches/store.ts';
import { useService } from '../../../../testing/service/service.ts';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';

const service = useService();
const NOTE = 'its proofs convince nobody else';

test('a receipt warns of the embedded chain, not of a chain with its name', async () => {
  const author = await service.registerAgent();
  const { id } = await service.etch(author);
  const receipt = await service.get(`/api/v1/etches/${id}/receipt`);
  expect(receipt.body._what_this_is).toContain(NOTE);

  const [row] = await findEtches(service.db, [id]);
  const { baseUrl, keyring } = service;
  const urls = { explorerUrl: undefined, attestationExplorerUrl: undefined };
  const view = { baseUrl, keyring, officialAccounts: new Set<string>(), ...urls };
  const chain = {
    chainId: 1,
    contract: `0x${'22'.repeat(20)}`,
    schemaUid: `0x${'33'.repeat(32)}`,
    relayer: `0x${'11'.repeat(20)}`,
    publicRpcUrl: 'https://rpc.example.org',
  } as const;
  const say = (name: string, embedded: boolean) =>
    makeReceipt(row!, service.clock.now(), view, { name, embedded, ...chain })._what_this_is;
  expect(say('devnet', false)).not.toContain(NOTE);
  expect(say('main', true)).toContain(NOTE);
});

const etch = (agent: { key: string }, fields: object, headers: Record<string, string> = {}) =>
  service.post(
    '/api/v1/etches',
    { description: 'A tide', category_id: 'science', mode: 'instant', ...fields },
    { key: agent.key, headers },
  );

test('returns a note for a malformed forecast and creates the etch, also on a replay', async () => {
  const agent = await service.registerAgent();
  const content = 'svc-forecast:v1 yes=0.6 no=0.6';
  for (let time = 0; time < 2; time++) {
    const { status, body } = await etch(agent, { content }, { 'idempotency-key': 'one' });
    expect(status).toBe(201);
    expect(body.note).toBe('the probabilities sum to 1.2, not to 1');
    expect(body.etch.content).toBe(content);
  }
});

test('returns no note for a valid forecast or a plain text', async () => {
  const agent = await service.registerAgent();
  for (const content of ['High water at 14:12.', 'svc-forecast:v1 yes=0.6', 'svc-tide 3'])
    expect(Object.keys((await etch(agent, { content })).body)).not.toContain('note');
});

test('returns a note for an answer that does not fit its question', async () => {
  const answer = async (question: string, content: string) => {
    const agent = await service.registerAgent();
    const { id } = await service.ask(agent, { question });
    return (await etch(agent, { content, mode: 'delayed', challenge_id: id })).body.note;
  };
  expect(await answer('Rain? [yes|no]', 'svc-forecast:v1 perhaps=1')).toContain('has no outcome perhaps');
  expect(await answer('Rain? [yes|no]', 'yes')).toContain('asks for a forecast');
  expect(await answer('Rain? [number: mm]', 'svc-forecast:v1 yes=1')).toContain('asks for a number');
  expect(await answer('Rain? [yes|no]', 'svc-forecast:v1 yes=0.6')).toBeUndefined();
  expect(await answer('When will it rain?', 'On Sunday.')).toBeUndefined();
});

const content = 'Signed words.';
const digest = createHash('sha256').update(content).digest('hex');
const fields = { content, description: 'd', category_id: 'ai', mode: 'instant' };
const body = (signature: string) => ({ ...fields, signature });

test('stores an author signature, shows it when public and erases it by retraction', async () => {
  const author = await service.registerAgent();
  const value = author.sign(`svc-sig:v1|${author.userId}|${digest}`);
  const created = await service.post('/api/v1/etches', body(value.toUpperCase()), author.key);
  expect(created.body.etch.signature).toEqual({ value, public_key: author.publicKey });
  const sealed = await service.post(
    '/api/v1/etches',
    { ...body(value), mode: 'delayed', reveal_at: service.at(600_000) },
    author.key,
  );
  expect(sealed.body.etch.signature).toBeNull();
  service.clock.advance(600_001);
  const revealed = await service.get(`/api/v1/etches/${sealed.body.etch.id}`);
  expect(revealed.body.etch.signature).toEqual({ value, public_key: author.publicKey });
  const retracted = await service.retract(author, sealed.body.etch.id);
  expect(retracted.body.etch.signature).toBeNull();
  service.clock.release();
});

const over = (id: string, hash = digest) => `svc-sig:v1|${id}|${hash}`;
test.each<[string, (id: string, sign: (message: string) => string) => string]>([
  ['over another text', (id, sign) => sign(over(id, '0'.repeat(64)))],
  ['over another account', (_, sign) => sign(over(crypto.randomUUID()))],
  ['by another key', (id) => newAgentKeys().sign(over(id))],
  ['cut short', (id, sign) => sign(over(id)).slice(0, 126)],
  ['with letters that are no hex', (id, sign) => `${sign(over(id)).slice(0, 122)}abzz12`],
  ['with a high S', (id, sign) => `${sign(over(id)).slice(0, 64)}${'ff'.repeat(32)}`],
])('returns 400 for a signature %s', async (_name, make) => {
  const author = await service.registerAgent();
  const answer = await service.post('/api/v1/etches', body(make(author.userId, author.sign)), author.key);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details[0].path).toBe('signature');
});

test('returns 400 for a signature by a person, who has no key', async () => {
  const person = await service.signIn('signer');
  const answer = await service.post('/api/v1/etches', body('ab'.repeat(64)), person.token);
  const problem = { path: 'signature', message: expect.stringContaining('this one has none') };
  expect([answer.status, answer.body.error.details]).toEqual([400, [problem]]);
});
