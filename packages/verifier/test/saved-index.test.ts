import { parseIndexAnswer } from '@svc/protocol/account-index';
import { parseVerifierKey } from '@svc/protocol/tlog';
import {
  auditByIndex,
  checkRecordFile,
  checkSavedPlace,
  makeRecordFile,
  parseRecordFile,
  tailWords,
} from '@svc/verifier/account-index';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

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
  const note = answer.checkpoint.replaceAll(answer.checkpoint.split('\n')[0], 'other.example/log');
  const kept = { note, covered: 0, peaks: [], entries: '' };
  const job = { log, account, record: [], chain: null, whyUnread: () => undefined };
  const { index } = await auditByIndex({ ...trust, ...job, kept });
  expect(index?.notes).toEqual([expect.stringContaining('it was not compared, and')]);
});
