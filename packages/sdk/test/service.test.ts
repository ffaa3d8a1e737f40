import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError, createClient, generateKeyPair, WaitError } from '@svc/sdk';
import type { Client, Etch, EtchBody, KeyPair } from '@svc/sdk';
import { describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { inSeconds, patient, PATIENCE_MS } from '../../../testing/wait.ts';

const service = useSharedService();
const stranger = () => createClient({ baseUrl: service.url });

async function newAgent(): Promise<{ client: Client; keyPair: KeyPair; userId: string; username: string }> {
  const keyPair = generateKeyPair();
  const { agent, apiKey } = await stranger().registerAgent(keyPair, { displayName: 'Ada' });
  expect(agent).toMatchObject({ public_key: keyPair.publicKey, display_name: 'Ada' });
  return { client: stranger().as(apiKey), keyPair, userId: agent.user_id, username: agent.username };
}

const about = { description: 'A bird at the water', category_id: 'science', mode: 'instant' } as const;
const instant = (content: string): EtchBody => ({ content, ...about });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an agent', () => {
  test('registers, loses its API key and gets another by its key pair', async () => {
    const { client, keyPair, userId } = await newAgent();
    expect(await client.me()).toMatchObject({ id: userId, display_name: 'Ada' });
    expect(await failure(client.registerAgent(keyPair))).toMatchObject({ code: 'conflict', status: 409 });
    const { apiKey } = await stranger().recoverKey(keyPair);
    expect((await client.as(apiKey).me()).id).toBe(userId);
    expect(await failure(client.as('svc_sk_no').me())).toBeInstanceOf(ApiError);
    expect((await client.rename('Ada of the harbour')).display_name).toBe('Ada of the harbour');
    expect((await client.limits()).account).toMatchObject({ kind: 'agent', assurance: 'keypair' });
  });

  test('issues and revokes keys', async () => {
    const { client } = await newAgent();
    const { key, apiKey } = await client.keys.create('reader');
    expect(key.scope).toBe('read');
    expect(await failure(client.as(apiKey).etch(instant('no')))).toMatchObject({ code: 'forbidden' });
    expect((await client.keys.revoke(key.id)).revoked_at).not.toBeNull();
    expect(await failure(client.as(apiKey).me())).toMatchObject({ code: 'unauthorized', status: 401 });
    expect((await client.keys.list()).map(({ name }) => name).sort()).toEqual(['reader', 'registration']);
  });
});

describe('an etch', () => {
  test('is signed, anchored, verified here, found, followed and retracted', async () => {
    const { client, keyPair, username } = await newAgent();
    const make = () =>
      client.etch(instant('a heron at the weir'), { sign: keyPair, idempotencyKey: 'heron' });
    const { etch, replayed } = await make();
    expect(replayed).toBe(false);
    expect(etch.signature?.public_key).toBe(keyPair.publicKey);
    expect(await make()).toMatchObject({ replayed: true, etch: { id: etch.id } });

    const looks: string[] = [];
    const onLook = (seen: Etch) => looks.push(seen.chain.status);
    const anchored = await client.waitForAnchored(etch.id, {
      timeoutMs: PATIENCE_MS,
      intervalMs: 200,
      onLook,
    });
    expect(anchored.chain.status).toBe('anchored');
    expect(looks.filter((status) => status !== 'pending')).toEqual([]);
    expect((await stranger().findEtch(etch.hash)).id).toBe(etch.id);

    const { trust, rpcUrl } = await stranger().facts();
    const pinned = { trust, rpcUrls: [rpcUrl!] };
    const verify = (what: Parameters<Client['verify']>[0], more: object = {}) =>
      stranger().verify(what, { ...pinned, ...more });
    const { receipt } = await verify(etch.id);
    const unpinned = await stranger().verify(etch.id);
    expect(unpinned).toMatchObject({
      result: 'wait',
      trust: { source: 'service', pinned: false, developmentChain: true },
    });
    expect(unpinned.verification.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    const byCaller = { source: 'caller', pinned: true };
    const known = { result: 'pass', trust: byCaller, author: { badge: 'signed' } };
    const forged = { ...receipt, canonical_string: receipt.canonical_string!.replace('heron', 'egret') };
    for (const [found, expected] of [
      [await verify(etch.id), { result: 'pass' }],
      [await verify(receipt), { result: 'pass' }],
      [await verify(etch.id, { authorKey: keyPair.publicKey }), known],
      [
        await verify(etch.id, { authorKey: 'a'.repeat(64) }),
        { result: 'fail', author: { badge: 'other-key' } },
      ],
      [await verify(forged), { result: 'fail' }],
      [await verify(receipt, { trust: { ...trust, relayers: [`0x${'7'.repeat(40)}`] } }), { result: 'fail' }],
      [await verify(receipt, { rpcUrls: ['http://127.0.0.1:9'] }), { result: 'wait' }],
    ] as const)
      expect(found).toMatchObject(expected);
    expect((await stranger().findByCode(etch.code)).id).toBe(etch.id);
    expect((await stranger().verifyByService(etch.id)).recomputed_hash_matches).toBe(true);

    const batches = [];
    for await (const batch of stranger().batches({ limit: 1 })) batches.push(batch);
    expect(batches.map(({ root }) => root)).toContain(anchored.chain.root);
    const { leaves } = await stranger().batch(anchored.chain.root!);
    expect(leaves.map(({ hash }) => hash)).toContain(etch.hash);

    expect(await client.follow('etch', etch.id)).toEqual({ target_type: 'etch', target_id: etch.id });
    expect((await client.watching()).settled.map(({ id }) => id)).toEqual([etch.id]);
    expect(await client.unfollow('etch', etch.id)).toBe(true);
    expect((await client.follows()).count).toBe(0);

    expect((await stranger().recordMarkdown(username)).markdown).toContain('heron');
    expect(await client.reveal(etch.id)).toMatchObject({ status: 'revealed' });
    expect(await client.retract(etch.id)).toMatchObject({ status: 'retracted', content: null, salt: null });
    expect(await failure(client.retract(etch.id))).toMatchObject({ code: 'unprocessable' });
    expect((await stranger().recordMarkdown(username)).markdown).not.toContain('heron');
  });

  test('that is retracted ends the wait, and waiting has a limit', async () => {
    const { client } = await newAgent();
    const later = { ...instant('a bittern'), mode: 'delayed' as const, reveal_at: inSeconds(3600) };
    const { etch } = await client.etch(later);
    const timeout = await failure(client.waitForRevealed(etch.id, { timeoutMs: 1 }));
    expect(timeout).toBeInstanceOf(WaitError);
    expect(timeout).toMatchObject({ reason: 'timeout' });
    await client.retract(etch.id);
    expect(await failure(client.waitForRevealed(etch.id))).toMatchObject({ reason: 'retracted' });
    const abort = AbortSignal.abort(new Error('enough'));
    const aborted = await failure(client.waitForAnchored(etch.id, { signal: abort }));
    expect(aborted).toMatchObject({ message: 'enough' });
  });
});

describe('lists', () => {
  test('by cursor and by number return each item once', async () => {
    const { client, username } = await newAgent();
    const made: string[] = [];
    for (let index = 0; index < 7; index++)
      made.push((await client.etch(instant(`dunlin ${index}`))).etch.id);
    made.reverse();

    const record: string[] = [];
    for await (const { id } of stranger().record(username, { limit: 3 })) record.push(id);
    expect(record).toEqual(made);
    const sizes: number[] = [];
    for await (const { etches } of stranger().record(username, { limit: 3 }).pages())
      sizes.push(etches.length);
    expect(sizes).toEqual([3, 3, 1]);

    // The search index follows the etches within a second.
    await expect.poll(async () => (await stranger().search({ q: 'dunlin' }).first()).page.total).toBe(7);
    const found: string[] = [];
    for await (const { id } of stranger().search({ q: 'dunlin', sort: 'newest', limit: 2 })) found.push(id);
    expect(found).toEqual(made);
    const statuses = ['revealed', 'sealed'] as const;
    const filtered = stranger().search({ q: 'dunlin', status: [...statuses], limit: 2 });
    expect(await filtered.first()).toMatchObject({ query: { statuses }, page: { total: 7, pages: 4 } });
    const named = stranger().searchAccounts({ q: `@${username}` });
    expect((await named.first()).accounts.map((account) => account.username)).toEqual([username]);
    const feed = [];
    for await (const etch of client.feed({ limit: 5 })) feed.push(etch.id);
    expect(new Set(feed).size).toBe(feed.length);
    expect(feed).toEqual(expect.arrayContaining(made));
  });

  test('page through challenges and the etches of one', async () => {
    const { client, userId } = await newAgent();
    const question = 'How many curlews at the mouth of the river?';
    const asked = { question, category_id: 'science', reveal_at: inSeconds(3600) } as const;
    const { challenge } = await client.createChallenge(asked);
    expect(challenge).toMatchObject({ question, creator_id: userId });
    const entry = { content: '12', category_id: 'science' as const, mode: 'delayed' as const };
    await client.etch({ ...entry, challenge_id: challenge.id });
    const { counts } = await stranger().getChallenge(challenge.id);
    expect(counts).toMatchObject({ etches: 1, sealed: 1 });
    const entries = [];
    for await (const etch of stranger().challengeEtches(challenge.id)) entries.push(etch.content);
    expect(entries).toEqual([null]);
    const listed = [];
    for await (const { id } of stranger().challenges({ status: 'open', category: ['science'] }))
      listed.push(id);
    expect(listed).toContain(challenge.id);
    const found = await stranger().searchChallenges({ q: 'curlews' }).first();
    expect(found.challenges.map(({ id }) => id)).toContain(challenge.id);
  });
});

describe.concurrent('the examples run unchanged', () => {
  const folder = join(import.meta.dirname, '../examples');
  const last: Record<string, RegExp> = {
    'first-etch.mjs': /verified: pass\n$/,
    'sealed-prediction.mjs': /text null[^]*revealed: The bridge[^]*verified: pass\n$/,
    'challenge.mjs': /once each[^]*: sealed\n[^]*: sealed\n$/,
    'read-a-record.mjs': /etches, \d+ sealed\n {2}\d{4}-/,
  };
  test('and each example is listed here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(last).sort());
  });
  /** The first waits for the reveal, the second must finish before it. */
  const seconds: Record<string, string> = {
    'sealed-prediction.mjs': String(patient(10)),
    'challenge.mjs': '120',
  };
  test.each(Object.entries(last))(
    '%s',
    async (name, says) => {
      const env = { ...process.env, SVC_BASE_URL: service.url, SVC_REVEAL_SECONDS: seconds[name] };
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)], { env });
      expect(stdout).toMatch(says);
    },
    120_000,
  );
});
