import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalString, etchHash } from '@svc/protocol';
import {
  judgeForecasts,
  scoreAccount,
  scoreAccountInTimeSlices,
  scoreChallenge,
} from '@svc/protocol/conventions';
import type { PublicChallenge, PublicEtch } from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';

// Plain JavaScript, like all generators of vectors.
const generator: string = '../../../../vectors/generate/planted.mjs';
const { planted } = (await import(generator)) as { planted: (accounts: number, each: number) => Planted };
interface Planted {
  records: Map<string, PublicEtch[]>;
  challenges: PublicChallenge[];
  expected: Map<string, Record<string, number>>;
}

const script = join(import.meta.dirname, '../../../../docs/score.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

const forecasts = planted(40, 50);
const data = { etches: [...forecasts.records.values()].flat(), challenges: forecasts.challenges };
const accountOf = (username: string, etches: readonly PublicEtch[]) =>
  etches.find(({ author }) => author.username === username)!.author;

/** Missing counts are 0. */
const countsOf = (known: Record<string, number>) => ({
  scored: 0,
  late: 0,
  malformed: 0,
  void: 0,
  unresolved: 0,
  pending: 0,
  retracted: 0,
  taken_down: 0,
  self_resolved: 0,
  sealed_etches: 0,
  retractions: 0,
  takedowns: 0,
  ...known,
});

test('finds the planted results of 2,000 forecasts by 40 accounts', () => {
  expect(forecasts.expected.size).toBe(40);
  for (const [username, known] of forecasts.expected)
    expect(scoreAccount(accountOf(username, data.etches), data).counts).toMatchObject(countsOf(known));
  const states = new Set(judgeForecasts(data).map(({ state }) => state));
  expect(states.size, 'each state but sealed is there').toBe(8);
});

test('gives the scores of the vector', () => {
  const vector = readVector('valid/conventions-forecasts');
  for (const { username, counts } of vector.accounts)
    expect(scoreAccount(accountOf(username, vector.etches), vector).counts).toMatchObject(countsOf(counts));
});

test('does not depend on the order of the records', () => {
  const account = accountOf('account_7', data.etches);
  const turned = { etches: [...data.etches].reverse(), challenges: [...data.challenges].reverse() };
  expect(scoreAccount(account, turned)).toEqual(scoreAccount(account, data));
});

test('Murphy’s parts add up to the Brier score', () => {
  const all = scoreAccount(accountOf('account_0', data.etches), {
    ...data,
    // One author for all, so that groups of equal forecasts are large.
    etches: data.etches.map((etch) =>
      etch.author.username.startsWith('account_') && etch.challenge !== null
        ? { ...etch, author: accountOf('account_0', data.etches) }
        : etch,
    ),
  }).scores.by_others;
  expect(all.murphy.n).toBeGreaterThan(500);
  expect(all.murphy.groups).toBeLessThan(all.murphy.n / 3);
  const { brier, reliability, resolution, uncertainty } = all.murphy;
  expect(Math.abs(brier! - (reliability! - resolution! + uncertainty!))).toBeLessThan(1e-9);
  expect(brier).toBeCloseTo(all.brier.binary.mean!, 12);
});

/** The script reads content and time only from the canonical string. */
function exported(etch: PublicEtch): object {
  const { content, created_at: createdAt, author, id } = etch;
  if (content === null || createdAt === null) return { ...etch, hash: 'x', canonical_string: null };
  const salt = id.replaceAll('-', '').repeat(2);
  const canonical_string = canonicalString({ userId: author.user_id, createdAt, salt, content });
  return {
    ...etch,
    content: 'changed',
    created_at: null,
    hash: etchHash(canonical_string),
    canonical_string,
  };
}

/** Numbers agree to 1e-12. */
function expectSame(mine: any, theirs: any, path = 'score'): void {
  if (typeof mine === 'number' && typeof theirs === 'number') {
    expect(Math.abs(mine - theirs), `${path}: ${mine} and ${theirs}`).toBeLessThanOrEqual(1e-12);
    return;
  }
  if (typeof theirs !== 'object' || theirs === null) return expect(mine, path).toEqual(theirs);
  expect(Object.keys(mine).sort(), path).toEqual(Object.keys(theirs).sort());
  for (const key of Object.keys(theirs)) expectSame(mine[key], theirs[key], `${path}.${key}`);
}

describe.runIf(hasPython)('a script in another language', () => {
  test('computes the same scores from an export, to 1e-12', () => {
    const folder = newFolder('score');
    const write = (name: string, value: object) => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), JSON.stringify(value));
    };
    for (const [username, etches] of forecasts.records)
      write(`records/${username}/000001.json`, { user: { username }, etches: etches.map(exported) });
    write('challenges/000001.json', { challenges: forecasts.challenges });
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const theirs = JSON.parse(execFileSync('python3', [script, folder], options));
    for (const [username, score] of Object.entries<any>(theirs.accounts)) {
      const { counts, scores } = scoreAccount(accountOf(username, data.etches), data);
      expectSame({ counts, scores }, score, username);
    }
    expect(Object.keys(theirs.challenges)).toHaveLength(40);
    for (const [id, score] of Object.entries<any>(theirs.challenges)) {
      const { counts, scores } = scoreChallenge(id, data)!;
      expectSame({ counts, scores }, score, id);
    }
  });
});

test('yields between two questions', () => {
  const asked = { question: 'Is it? [yes|no]', creator_id: 'creator', reveal_at: '2030-01-01T00:00:00.000Z' };
  const challenges = Array.from({ length: 500 }, (_, at) => ({ id: `question ${at}`, ...asked }));
  const slices = scoreAccountInTimeSlices({ user_id: 'ada', username: 'ada' }, { etches: [], challenges });
  let stops = 0;
  while (!slices.next().done) stops++;
  expect(stops).toBeGreaterThan(challenges.length);
});

test('counts takedowns separately from retractions by the author', () => {
  const [username, own] = [...forecasts.records].find(([, etches]) =>
    etches.some(({ challenge, status }) => challenge !== null && status === 'revealed'),
  )!;
  const account = accountOf(username, own);
  const victim = own.find(({ challenge, status }) => challenge !== null && status === 'revealed')!;
  const score = (etches: readonly PublicEtch[]) => scoreAccount(account, { ...data, etches }).counts;
  const gone = { ...victim, status: 'retracted', content: null, created_at: null } as const;
  const others = data.etches.filter((etch) => etch !== victim);
  const before = score(data.etches);
  const byAuthor = score([...others, gone]);
  const byOperator = score([...others, { ...gone, retracted_by: 'operator' }]);
  expect([byAuthor.retractions, byAuthor.forecasts]).toEqual([before.retractions + 1, before.forecasts]);
  const { retractions, takedowns, taken_down, forecasts: all } = before;
  const counted = { retractions, takedowns: takedowns + 1, taken_down: taken_down + 1, forecasts: all };
  expect(byOperator).toMatchObject(counted);
});
