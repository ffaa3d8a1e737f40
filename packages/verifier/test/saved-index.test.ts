import { bytesToHex, encodeAttestationData, etchLeaf } from '@svc/protocol';
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
  id: hash,
  hash,
  status: 'sealed',
  mode: 'delayed',
  author: { user_id: userId },
  content: null,
  salt: null,
  created_at,
  canonical_string: null,
  chain: { status: 'pending', attestation_uid: null, anchored_at: null, root: null, proof: null },
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

const NO_TREE = {
  status: 'pending',
  attestation_uid: null,
  anchored_at: null,
  root: null,
  proof: null,
  tree_size: null,
  tree_version: null,
  revocation_status: 'none',
  revocation_attestation_uid: null,
  revocation_root: null,
  revocation_proof: null,
  revocation_tree_version: null,
};
const [COMMITTED, TOMBSTONE] = ['1', '2'].map((digit) => `0x${digit.repeat(64)}`);
const root = bytesToHex(etchLeaf(2, userId, HASH));
const attested = {
  status: 'anchored',
  attestation_uid: COMMITTED,
  anchored_at: '2030-01-01T00:00:00.000Z',
  root,
  proof: [],
  tree_size: 1,
  tree_version: 2,
};
const tombstone = {
  revocation_status: 'revoked',
  revocation_attestation_uid: TOMBSTONE,
  revocation_root: root,
  revocation_proof: [],
  revocation_tree_version: 2,
};
const rowOf = (chain: object, more: object = {}) => ({
  ...pendingEtch(HASH, null),
  ...more,
  chain: { ...NO_TREE, ...chain },
});
const checkFile = async (etches: object[], entries: string[]) => {
  const { answer } = await smallLog({ userId, log: trees, entries });
  const at = { service: 'https://svc.example', savedAt: new Date(trust.now * 1000).toISOString() };
  const file = { ...at, account: { username: 'ada', user_id: userId }, index: [answer], etches };
  const own = { ...trust, keys: [keyOf('svc.example/log')] };
  return checkRecordFile(parseRecordFile(makeRecordFile(file)), own);
};

test('fails for a row with another hash than its entry', async () => {
  const entries = [entryOf(0, HASH)];
  const missing = expect.objectContaining({ what: 'missing', hash: HASH });
  for (const chain of [{}, attested, { ...attested, tree_version: 1 }]) {
    const row = rowOf(chain, { hash: 'b2'.repeat(32) });
    expect((await audit({ entries }, { record: [[row]] })).record!.faults).toContainEqual(missing);
    expect((await checkFile([row], entries)).record.faults).toContainEqual(missing);
  }
});

test('a tombstone that the index leaves out fails after a day, and waits before', async () => {
  const row = rowOf({ ...attested, ...tombstone }, { status: 'retracted' });
  const [commit, entry] = [entryOf(0, HASH), entryOf(1, HASH).replace(/00(?=a1)/, '01')];
  const judge = async (entries: string[], hours: number) => {
    const time = trust.now - hours * 3600;
    const record = [[{ ...row, chain: { ...row.chain, anchored_at: new Date(time * 1000).toISOString() } }]];
    const { relayers, ...of } = { relayers: ['0xab'], chainId: 1, contract: '0xcd', schemaUid: '0xef' };
    const attestation = async (_: string, uid: string) => {
      const tree = { root: etchLeaf(2, userId, HASH), kind: uid === TOMBSTONE ? 1 : 0 } as const;
      const data = `0x${bytesToHex(encodeAttestationData({ ...tree, treeVersion: 2, treeSize: 1 }))}`;
      const found = { uid, schema: of.schemaUid, attester: relayers[0], time, revocationTime: 0, data };
      return { kind: 'read', chainId: 1, attestation: found };
    };
    const chain = { reader: { attestation }, trust: { ...of, relayers } };
    const { faults, unproven, notes } = (await audit({ entries }, { record, chain })).record!;
    return { faults: faults.map(({ what, detail }) => `${what}: ${detail}`), unproven, notes };
  };
  const sound = { faults: [], unproven: [], notes: [] };
  expect(await judge([commit, entry], 25)).toEqual(sound);
  expect(await judge([commit], 25)).toEqual({
    ...sound,
    faults: [
      'missing: its tombstone was attested more than a day ago, and the index of accounts leaves it out',
    ],
  });
  const waits = [`tombstones that the index leaves out: 1, the first is of etch ${HASH}; audit again later`];
  expect(await judge([commit], 23)).toEqual({ ...sound, unproven: waits });
  expect(await judge([commit], 0)).toEqual({
    ...sound,
    notes: ['tombstones that are newer than the checkpoint: 1'],
  });
  expect((await checkFile([row], [commit])).record.unproven).toEqual(waits);
  expect((await checkFile([row], [commit, entry])).record).toMatchObject(sound);
  // No service names the tree without the attestation, or an attested root without its version.
  const hidden = { ...row, chain: { ...row.chain, revocation_attestation_uid: null } };
  expect((await checkFile([hidden], [commit])).record.unproven).toEqual(waits);
  for (const name of ['tree_version', 'revocation_tree_version'])
    await expect(checkFile([{ ...row, chain: { ...row.chain, [name]: null } }], [commit])).rejects.toThrow(
      'etches',
    );
});

test('names what an index does not cover, and what a record hides', async () => {
  const [other, third] = ['b2', 'c3'].map((byte) => byte.repeat(32));
  const unlogged = { ...attested, tree_version: 1, root: bytesToHex(etchLeaf(1, userId, other!)) };
  const rows = [
    rowOf(attested, { mode: 'instant' }),
    rowOf(unlogged, { id: other, hash: other, status: 'retracted' }),
    rowOf({}, { id: third, hash: third }),
  ];
  const notes = [
    'etches that are not anchored yet: 1',
    'etches in trees of version 1 or without a tree, which only svc audit without --index checks: 1',
    `sealed although instant: etch ${HASH} (${HASH})`,
    `retracted without a tombstone: etch ${other} (${other})`,
  ];
  const entries = [entryOf(0, HASH)];
  expect((await checkFile(rows, entries)).record).toMatchObject({ faults: [], unproven: [], notes });
});

test('a record file has only the statuses of the contract', () => {
  const account = { username: 'ada', user_id: last[0].user_id };
  const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
  const parse = (status: string) =>
    parseRecordFile(
      makeRecordFile({
        ...at,
        account,
        index: last,
        etches: [rowOf({}, { status })],
      }),
    );
  expect(parse('sealed').etches).toHaveLength(1);
  expect(() => parse('hidden')).toThrow('etches is missing or malformed');
});

test('does not read a tail that is too long, or has too many leaves', async () => {
  const data = { root: new Uint8Array(32), kind: 0, treeVersion: 2, treeSize: 10_000 } as const;
  const unproven = async (count: number) => {
    const log = Array.from({ length: count }, () => encodeAttestationData(data));
    const { index, unproven: why } = await audit({ log, covered: 0, entries: [] });
    expect(index).toBeNull();
    return why;
  };
  const long = (count: number) => [
    `the index covers 0 of the ${count + 1} entries of the log, and the entries after it are more than 10000 or have more than 20 MB of leaves: audit without --index, which reads all leaves`,
  ];
  expect(await unproven(41)).toEqual(['the service does not have the leaves of the tree at the log index 0']);
  expect(await unproven(42)).toEqual(long(42));
  expect(await unproven(10_000)).toEqual(long(10_000));
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
