import {
  describedTarget,
  parseForecast,
  resolutionDescription,
  resolveChallenge,
  resolveForecast,
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
    challenge: null,
    content: 'svc-resolution:v1',
    created_at: at(made),
    author: { user_id: user, username: user === ASKER ? 'asker' : 'ada' },
    chain: { anchored_at: attested === null ? null : at(attested) },
    ...rest,
  };
};
const DESCRIBED = resolutionDescription(challenge.id);
const says = (outcome: string, more: Parameters<typeof etch>[0] = {}) =>
  etch({
    content: `svc-resolution:v1 ${challenge.id} ${outcome} the gauge`,
    description: DESCRIBED,
    ...more,
  });
const gone = (more: Parameters<typeof etch>[0] = {}) =>
  etch({ status: 'retracted', content: null, created_at: null, description: DESCRIBED, ...more });
const takenDown = (more: Parameters<typeof etch>[0] = {}) => gone({ retracted_by: 'operator', ...more });

const outcomeOf = (...etches: PublicEtch[]) => {
  const { state, first, corrections } = resolveChallenge(challenge, etches);
  return [state, first?.outcome ?? null, ...corrections.map(({ outcome }) => outcome)];
};

describe('a resolution counts', () => {
  test('the first one, with later ones as corrections', () => {
    expect(outcomeOf(says('no', { made: 90 }), says('yes'))).toEqual(['resolved', 'yes', 'no']);
  });
  test('the one created first, of two in one block', () => {
    const both = [says('no', { made: 61, attested: 70 }), says('yes', { made: 60, attested: 70 })];
    expect(outcomeOf(...both)).toEqual(['resolved', 'yes', 'no']);
  });
  test('the lower id, of two created at one moment in one block', () => {
    const [lower, higher] = [says('yes'), says('no')];
    expect(outcomeOf(higher, lower)).toEqual(['resolved', 'yes', 'no']);
  });
  test('whose outcome is void', () => {
    expect(outcomeOf(says('void'))).toEqual(['void', 'void']);
  });
  test('that has text after the id in its description', () => {
    expect(outcomeOf(says('yes', { description: `${DESCRIBED} rain` }))).toEqual(['resolved', 'yes']);
  });
});

describe('a resolution does not count', () => {
  test.each<[string, PublicEtch]>([
    ['by another account', says('yes', { user: ADA })],
    ['that is still sealed', says('yes', { mode: 'delayed' })],
    ['created before the challenge closed', says('yes', { made: 0.4, attested: 5 })],
    ['that is not attested', says('yes', { attested: null })],
    ['with an outcome that was not asked for', says('perhaps')],
    ['of another challenge', says('yes', { content: `svc-resolution:v1 ${id(501)} yes the gauge` })],
    ['within a challenge', says('yes', { challenge: { id: id(501) } })],
    ['described as a forecast', says('yes', { description: 'svc-forecast:v1 about rain' })],
    ['described as a text', says('yes', { description: 'About rain' })],
    ['described as one of something else', says('yes', { description: resolutionDescription(id(501)) })],
    ['whose description only mentions the tag', says('yes', { description: `A ${DESCRIBED}` })],
    ['whose description continues the id', says('yes', { description: `${DESCRIBED}0` })],
    ['whose description has two spaces', says('yes', { description: `svc-resolution:v1  ${challenge.id}` })],
  ])('%s', (_what, one) => {
    expect(outcomeOf(one)).toEqual(['unresolved', null]);
  });
});

describe('retracted', () => {
  test('the first resolution leaves the challenge unresolved, even with a later one', () => {
    const found = resolveChallenge(challenge, [gone(), says('no', { made: 90 })]);
    expect(found).toMatchObject({ state: 'unresolved', first: null, corrections: [{ outcome: 'no' }] });
    expect(found.reason).toMatch(/was its first resolution, and its author retracted it/);
  });
  test('a resolution attested with the first one leaves the challenge unresolved', () => {
    expect(outcomeOf(says('yes'), gone())).toEqual(['unresolved', null, 'yes']);
  });
  test.each<[string, PublicEtch]>([
    ['a later resolution', gone({ made: 90 })],
    ['a resolution attested before the challenge closed', gone({ made: -60 })],
    ['an etch described as a text', gone({ made: 30, description: 'About rain' })],
    ['an etch described as files', gone({ made: 30, description: 'svc-files:v1 plans' })],
    ['a resolution of something else', gone({ made: 30, description: resolutionDescription(id(501)) })],
    ['an answer', gone({ made: 30, mode: 'delayed' })],
    ['an etch of another account', gone({ made: 30, user: ADA })],
  ])('%s changes nothing', (_what, one) => {
    expect(outcomeOf(one, says('yes'))[1]).toBe('yes');
  });
  test('texts of the creator without the resolution’s description change nothing', () => {
    const texts = Array.from({ length: 20 }, (_, at) => gone({ made: 1 + at, description: `Text ${at}` }));
    expect(outcomeOf(...texts, says('yes'))).toEqual(['resolved', 'yes']);
  });
  test('a resolution of an own forecast, found by its description, leaves the forecast unresolved', () => {
    const forecast = etch({ user: ADA, content: 'svc-forecast:v1 yes=0.9', made: 0 });
    const description = resolutionDescription(forecast.id);
    const content = `svc-resolution:v1 ${forecast.id} yes I saw it`;
    const resolved = (...record: PublicEtch[]) =>
      resolveForecast(forecast, parseForecast(forecast.content!), [forecast, ...record]).state;
    const self = etch({ user: ADA, content, description, made: 90 });
    expect(resolved(self)).toBe('resolved');
    expect(resolved(etch({ user: ADA, content, made: 90 }))).toBe('unresolved');
    expect(resolved(self, gone({ user: ADA, description: 'About rain' }))).toBe('resolved');
    expect(resolved(self, gone({ user: ADA, description }))).toBe('unresolved');
    expect(resolved(self, takenDown({ user: ADA, description }))).toBe('resolved');
  });
});

describe('taken down by the operator', () => {
  test('a text of the creator changes nothing', () => {
    const found = resolveChallenge(challenge, [takenDown({ description: 'About rain' }), says('yes')]);
    expect(found).toMatchObject({ state: 'resolved', taken_down: [] });
  });
  test('the first resolution is counted and named, and the next one counts', () => {
    const first = takenDown({ made: 30 });
    const found = resolveChallenge(challenge, [first, says('yes', { made: 90 })]);
    expect(found).toMatchObject({ state: 'resolved', first: { outcome: 'yes' } });
    expect(found.taken_down).toEqual([{ etch_id: first.id, attested_at: at(34) }]);
  });
  test('the only resolution leaves the challenge unresolved, with the reason', () => {
    const found = resolveChallenge(challenge, [takenDown()]);
    expect(found).toMatchObject({ state: 'unresolved', first: null });
    expect(found.reason).toMatch(/^its resolution \S+ was taken down by the operator/);
  });
  test('a takedown does not hide a retraction by the author', () => {
    const outcome = outcomeOf(takenDown({ made: 30 }), gone({ made: 40 }), says('yes'));
    expect(outcome).toEqual(['unresolved', null, 'yes']);
  });
  test('retracted_by has no effect unless the status is retracted', () => {
    expect(outcomeOf(says('yes', { retracted_by: 'operator' }))).toEqual(['resolved', 'yes']);
  });
});

test('ranks standings by score, with shared ranks, and marks forecasts resolved by their author', () => {
  const answer = (user: string, words: string, more: Parameters<typeof etch>[0] = {}) =>
    etch({ user, content: words, mode: 'delayed', challenge: { id: challenge.id }, made: -60, ...more });
  const [ben, eve, kim] = [id(903), id(904), id(905)];
  const etches = [
    answer(ADA, 'svc-forecast:v1 yes=0.5'),
    answer(ben, 'svc-forecast:v1 yes=0.9', { attested: 600 }),
    answer(eve, 'svc-forecast:v1 yes=0.9', { attested: 601 }),
    answer(kim, 'It will rain.'),
    answer(ASKER, 'svc-forecast:v1 yes=0.5'),
    gone({ user: ADA, made: -90, description: 'About rain' }),
    answer(id(906), '', { status: 'retracted', retracted_by: 'operator', content: null, created_at: null }),
    says('yes', { made: 700 }),
  ];
  const { standings, counts, scores } = scoreChallenge(challenge.id, { etches, challenges: [challenge] })!;
  const rows = standings.map((one) => [
    one.user_id,
    one.rank,
    one.state,
    one.self_resolved,
    one.retractions,
    one.takedowns,
  ]);
  expect(rows).toEqual([
    [ben, 1, 'scored', false, 0, 0],
    [ADA, 2, 'scored', false, 1, 0],
    [ASKER, 2, 'scored', true, 0, 0],
    [id(906), null, 'taken_down', false, 0, 1],
    [kim, null, 'malformed', false, 0, 0],
    [eve, null, 'late', false, 0, 0],
  ]);
  expect(standings[3]!.reason).toBe('taken down by the operator');
  expect(counts).toMatchObject({
    forecasts: 6,
    scored: 3,
    taken_down: 1,
    takedowns: 1,
    late: 1,
    malformed: 1,
    self_resolved: 1,
    retractions: 1,
  });
  expect(scores.brier.binary).toEqual({ n: 3, mean: (0.25 + 0.25 + 0.1 ** 2) / 3 });
});

test('a description names the target of a resolution with the tag and an id', () => {
  const id = 'ba2700ee-b11f-45fe-a934-06098975d379';
  expect(describedTarget(resolutionDescription(id))).toBe(id);
  expect(describedTarget(`${resolutionDescription(id)} and a note`)).toBe(id);
  for (const other of ['About rain', `svc-forecast:v1 ${id}`, 'svc-resolution:v1 rain', 'svc-resolution:v1'])
    expect(describedTarget(other)).toBeNull();
});
