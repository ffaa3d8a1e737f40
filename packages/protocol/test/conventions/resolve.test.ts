import {
  resolutionDescription,
  resolveChallenge,
  resolveForecast,
  parseForecast,
  scoreChallenge,
} from '@svc/protocol/conventions';
import type { PublicEtch } from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';

const id = (n: number) => `00000000-0000-4000-a000-${String(n).padStart(12, '0')}`;
const [ASKER, ADA] = [id(901), id(902)];
const challenge = {
  id: id(500),
  question: 'Will it rain? [yes|no]',
  creator_id: ASKER,
  reveal_at: '2026-01-02T12:00:00.500Z',
};
/** Seconds after the minute in which the challenge closes. */
const at = (seconds: number) =>
  new Date(Date.parse('2026-01-02T12:00:00.000Z') + seconds * 1000).toISOString();

let next = 1;
const etch = (
  parts: Partial<PublicEtch> & { made?: number; attested?: number | null; user?: string },
): PublicEtch => {
  const { made = 60, attested = made + 4, user = ASKER, ...rest } = parts;
  return {
    id: id(next++),
    status: 'revealed',
    mode: 'instant',
    description: 'About rain',
    content: 'svc-resolution:v1',
    created_at: at(made),
    author: { user_id: user, username: user === ASKER ? 'asker' : 'ada' },
    challenge: null,
    chain: { anchored_at: attested === null ? null : at(attested) },
    ...rest,
  };
};
const says = (outcome: string, more: Parameters<typeof etch>[0] = {}) =>
  etch({ content: `svc-resolution:v1 ${challenge.id} ${outcome} the gauge`, ...more });
const gone = (more: Parameters<typeof etch>[0] = {}) =>
  etch({ status: 'retracted', content: null, created_at: null, ...more });

const outcomeOf = (...etches: PublicEtch[]) => {
  const { state, first, corrections } = resolveChallenge(challenge, etches);
  return [state, first?.outcome ?? null, ...corrections.map(({ outcome }) => outcome)];
};

describe('a resolution counts', () => {
  test('the first one, and later ones stand beside it', () => {
    expect(outcomeOf(says('no', { made: 90 }), says('yes'))).toEqual(['resolved', 'yes', 'no']);
  });
  test('of two in one block the one that was made first', () => {
    expect(
      outcomeOf(says('no', { made: 61, attested: 70 }), says('yes', { made: 60, attested: 70 })),
    ).toEqual(['resolved', 'yes', 'no']);
  });
  test('of two at one moment in one block the lower id', () => {
    const [lower, higher] = [says('yes'), says('no')];
    expect(outcomeOf(higher, lower)).toEqual(['resolved', 'yes', 'no']);
  });
  test('as void', () => {
    expect(outcomeOf(says('void'))).toEqual(['void', 'void']);
  });
});

describe('a resolution does not count', () => {
  test.each<[string, PublicEtch]>([
    ['by somebody else', says('yes', { user: ADA })],
    ['that is sealed until later', says('yes', { mode: 'delayed' })],
    ['made before the closing', says('yes', { made: 0.4, attested: 5 })],
    ['that is not attested', says('yes', { attested: null })],
    ['of what was not asked', says('perhaps')],
    ['of something else', etch({ content: `svc-resolution:v1 ${id(501)} yes the gauge` })],
    ['within a challenge', says('yes', { challenge: { id: id(501) } })],
    ['that calls itself something else', says('yes', { description: 'svc-forecast:v1 about rain' })],
  ])('%s', (_what, one) => {
    expect(outcomeOf(one)).toEqual(['unresolved', null]);
  });
});

describe('retracted', () => {
  test('the first one: unresolved for ever, whatever is said later', () => {
    const found = resolveChallenge(challenge, [gone(), says('no', { made: 90 })]);
    expect(found).toMatchObject({ state: 'unresolved', first: null, corrections: [{ outcome: 'no' }] });
    expect(found.reason).toMatch(/was or may have been its first resolution, and is retracted/);
  });
  test('in the block of the one that stands: which was the first is not known', () => {
    expect(outcomeOf(says('yes'), gone())).toEqual(['unresolved', null, 'yes']);
  });
  test.each<[string, PublicEtch]>([
    ['a later one', gone({ made: 90 })],
    ['what was attested before the closing', gone({ made: -60 })],
    ['an etch of another kind by its description', gone({ made: 30, description: 'svc-files:v1 plans' })],
    ['a resolution of something else', gone({ made: 30, description: resolutionDescription(id(501)) })],
    ['an answer', gone({ made: 30, mode: 'delayed' })],
    ['an etch of somebody else', gone({ made: 30, user: ADA })],
  ])('%s changes nothing', (_what, one) => {
    expect(outcomeOf(one, says('yes'))[1]).toBe('yes');
  });
  test('of one’s own forecasts, only what was described as their resolution', () => {
    const forecast = etch({ user: ADA, content: 'svc-forecast:v1 yes=0.9', made: 0 });
    const self = etch({ user: ADA, content: `svc-resolution:v1 ${forecast.id} yes I saw it`, made: 90 });
    const resolved = (...more: PublicEtch[]) =>
      resolveForecast(forecast, parseForecast(forecast.content!), [forecast, self, ...more]).state;
    expect(resolved(gone({ user: ADA }))).toBe('resolved');
    expect(resolved(gone({ user: ADA, description: resolutionDescription(forecast.id) }))).toBe('unresolved');
  });
});

test('standings: by score, equal scores together, the rest behind; who resolved himself is marked', () => {
  const answer = (user: string, words: string, more: Parameters<typeof etch>[0] = {}) =>
    etch({ user, content: words, mode: 'delayed', challenge: { id: challenge.id }, made: -60, ...more });
  const [ben, eve, kim] = [id(903), id(904), id(905)];
  const etches = [
    answer(ADA, 'svc-forecast:v1 yes=0.5'),
    answer(ben, 'svc-forecast:v1 yes=0.9', { attested: 600 }),
    answer(eve, 'svc-forecast:v1 yes=0.9', { attested: 601 }),
    answer(kim, 'It will rain.'),
    answer(ASKER, 'svc-forecast:v1 yes=0.5'),
    gone({ user: ADA, made: -90 }),
    says('yes', { made: 700 }),
  ];
  const { standings, counts, scores } = scoreChallenge(challenge.id, { etches, challenges: [challenge] })!;
  expect(
    standings.map(({ user_id, rank, state, self_resolved, retractions }) => [
      user_id,
      rank,
      state,
      self_resolved,
      retractions,
    ]),
  ).toEqual([
    [ben, 1, 'scored', false, 0],
    [ADA, 2, 'scored', false, 1],
    [ASKER, 2, 'scored', true, 0],
    [kim, null, 'malformed', false, 0],
    [eve, null, 'late', false, 0],
  ]);
  expect(counts).toMatchObject({
    forecasts: 5,
    scored: 3,
    late: 1,
    malformed: 1,
    self_resolved: 1,
    retractions: 1,
  });
  expect(scores.brier.binary).toEqual({ n: 3, mean: (0.25 + 0.25 + 0.1 ** 2) / 3 });
});
