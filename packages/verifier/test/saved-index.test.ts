import { parseIndexAnswer } from '@svc/protocol/account-index';
import { parseVerifierKey } from '@svc/protocol/tlog';
import {
  auditByIndex,
  checkRecordFile,
  checkSavedPlace,
  keysOfLog,
  makeRecordFile,
  parseRecordFile,
  readWholeIndex,
  tailWords,
} from '@svc/verifier/account-index';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { keyOf, smallLog } from './support/small-log.ts';

const keys = [parseVerifierKey((readVector('valid/tlog').policy as string).split(/\s/)[1]!)];
const trust = { keys, policy: null, indexWitnesses: [], now: 2e9 };
const { readings } = readVector('valid/account-index');
const pagesOf = (about: string) => readings.find(({ what }: any) => what === about).pages;
const [behind, last] = ['an account with entries', 'one account'].map(pagesOf);
const WORDS =
  'the index covers 8 of the 10 entries of the log, and a saved file shows nothing about the later ones: save a file later, or run svc audit --index, which reads them';

test('an index entry that is not the last one of the log has a tail', () => {
  expect(tailWords(parseIndexAnswer(behind[0]))).toBe(WORDS);
  expect(tailWords(parseIndexAnswer(last[0]))).toBeNull();
});

test('a record file with a tail is unproven', async () => {
  const unproven = async (index: any[]) => {
    const account = { username: 'ada', user_id: index[0].user_id };
    const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
    const file = parseRecordFile(makeRecordFile({ ...at, account, index, etches: [] }));
    return (await checkRecordFile(file, trust)).index.unproven;
  };
  expect(await unproven(behind)).toEqual([WORDS]);
  expect(await unproven(last)).toEqual([]);
});

test('the place of a receipt in an answer with a tail waits', () => {
  const place = (index: any[]) => {
    const hash = index[0].entries.at(-1).slice(18);
    return checkSavedPlace({ hash, author: { user_id: index[0].user_id } } as any, index, trust);
  };
  expect(place(behind)).toMatchObject({ verdict: 'wait', badge: 'present' });
  expect(place(behind).detail).toContain('The index covers 8 of the 10 entries of the log');
  expect(place(last)).toMatchObject({ verdict: 'pass', badge: 'present' });
});

test('an audit says that it did not compare a kept checkpoint of another key', async () => {
  const [answer] = last;
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const log = { url: 'x', get: () => Promise.resolve({ status: 200, retryAfter: null, bytes }) };
  const account = { username: 'ada', user_id: answer.user_id };
  const [line] = /\u2014.*\n/.exec(answer.checkpoint)!;
  const note = answer.checkpoint.replace(line, line.replace(/ [^ ]{4}([^ ]*\n)$/, ' AAAA$1'));
  const kept = { note, covered: 0, peaks: [], entries: '' };
  const job = { log, account, record: [], chain: null, whyUnread: () => undefined };
  const { index } = await auditByIndex({ ...trust, ...job, kept });
  expect(index?.notes).toEqual([expect.stringContaining('it was not compared, and')]);
});

const userId = '0f1e493f-a157-4bcb-a377-ba3377f2abc1';
const HASH = 'a1'.repeat(32);
const entryOf = (logIndex: number, hash: string) => `${logIndex.toString(16).padStart(16, '0')}00${hash}`;
const trees = [new Uint8Array(128), new Uint8Array(128)];
const pendingEtch = (hash: string, created_at: string | null) => ({
  ...{ id: hash, hash, status: 'sealed', mode: 'delayed', author: { user_id: userId } },
  ...{ content: null, salt: null, created_at, canonical_string: null },
  chain: { ...{ status: 'pending', attestation_uid: null, anchored_at: null, root: null, proof: null } },
});
const audit = async (log: Partial<Parameters<typeof smallLog>[0]>, more: object = {}) => {
  const { reader } = await smallLog({ userId, log: trees, ...log });
  const job = { account: { username: 'ada', user_id: userId }, chain: null, whyUnread: () => undefined };
  const own = { ...trust, keys: [keyOf('svc.example/log')] };
  return auditByIndex({ ...own, log: reader, record: [], ...job, ...more });
};

test('the checkpoint of another log in the policy does not count for the service', async () => {
  const now = 'new.example';
  const logs = ['old.example', now].map((host) => ({ key: keyOf(`${host}/log`), url: null }));
  const policy = { logs, witnesses: [], groups: new Map(), quorum: 'none' };
  const named = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);
  expect(named(keysOfLog([], policy, now))).toEqual(['new.example/log']);
  expect(named(keysOfLog([keyOf('old.example/log')], policy, now))).toEqual([
    'old.example/log',
    'old.example/log',
  ]);
  expect(keysOfLog([], policy, null)).toEqual([]);
  const keys = keysOfLog([], policy, now);
  const { unproven, index } = await audit({ origin: 'old.example/log' }, { keys, policy });
  expect(index).toBeNull();
  expect(unproven).toEqual([
    expect.stringContaining('is of the log old.example/log, not of new.example/log'),
  ]);
});

test('rejects the kept state of another account or log, and reads state without an account', async () => {
  const { kept } = (await audit({ entries: [entryOf(0, HASH)] })).index!;
  expect(kept.user_id).toBe(userId);
  const other = '11111111-a157-4bcb-a377-ba3377f2abc1';
  await expect(audit({ userId: other }, { account: { user_id: other }, kept })).rejects.toThrow(TypeError);
  const keys = [keyOf('new.example/log')];
  const moved = audit({ origin: 'new.example/log' }, { keys, kept });
  await expect(moved).rejects.toThrow('is of the log svc.example/log, not of new.example/log');
  const { user_id: _, ...old } = kept;
  expect((await audit({ entries: [entryOf(0, HASH)] }, { kept: old })).index!.kept.user_id).toBe(userId);
});

test('a logged etch that stays pending is unproven', async () => {
  const log = { entries: [entryOf(0, HASH)] };
  const unproven = async (created_at: string | null, more: object = {}) => {
    const { record } = await audit(log, { record: [[pendingEtch(HASH, created_at)]], unread: '', ...more });
    expect(record!.faults.filter(({ what }) => what !== 'altered')).toEqual([]);
    return record!.unproven.filter((words) => words.includes('without an attestation'));
  };
  const ago = (hours: number) => new Date((trust.now - hours * 3600) * 1000).toISOString();
  const { kept } = (await audit(log)).index!;
  expect(await unproven(null)).toEqual([]);
  expect(await unproven(ago(23))).toEqual([]);
  expect(await unproven(ago(25))).toHaveLength(1);
  expect(await unproven(null, { kept })).toHaveLength(1);
});

test('a record file has only the statuses of the contract', () => {
  const account = { username: 'ada', user_id: last[0].user_id };
  const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
  const chain = {
    ...{ status: 'pending', attestation_uid: null, anchored_at: null, root: null, proof: null },
    ...{ tree_size: null, tree_version: null, revocation_status: 'none', revocation_attestation_uid: null },
    ...{ revocation_root: null, revocation_proof: null, revocation_tree_version: null },
  };
  const parse = (status: string) =>
    parseRecordFile(
      makeRecordFile({
        ...at,
        account,
        index: last,
        etches: [{ ...pendingEtch(HASH, null), status, chain }],
      }),
    );
  expect(parse('sealed').etches).toHaveLength(1);
  expect(() => parse('hidden')).toThrow('etches is missing or malformed');
});

test.each([
  ['the same page again', {}, 'does not continue'],
  ['more pages than the count allows', { count: 1 }, 'no entries or the last ones'],
])('ends at a service that sends %s', async (_, change, fault) => {
  const { answer } = await smallLog({ userId, log: trees, entries: [entryOf(0, HASH), entryOf(1, HASH)] });
  const page = { ...answer, entries: answer.entries.slice(0, 1), more: true, ...change };
  let left = 10;
  const get = () => {
    if (left-- === 0) return Promise.reject(new Error('it reads on'));
    const bytes = new TextEncoder().encode(JSON.stringify(page));
    return Promise.resolve({ status: 200, retryAfter: null, bytes });
  };
  await expect(readWholeIndex({ url: 'x', get }, userId)).rejects.toThrow(fault);
});
