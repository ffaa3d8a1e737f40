// Runs without a database.
import { describe, expect, it } from 'vitest';
import { accountPage } from '../../../src/http/pages/account.tsx';
import { challengePage } from '../../../src/http/pages/challenge.tsx';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { questionText, wordsText } from '@svc/web/etch-text';
import { againstChance } from '@svc/web/parts/score-parts';
import { atomEntry } from '@svc/web/sharing/atom';
import { accountScore, challengeScore, closedChallenge } from '../../../../../testing/scored.ts';
import {
  etch,
  lastPage as page,
  recordCounts as counts,
  site,
  textOf,
  user,
  viewer,
} from '../../../../../testing/views.ts';

const accountWith = (score: Parameters<typeof accountPage>[2]['score']) =>
  accountPage(site, { user, counts, etches: [], page }, { days: [], isFirst: true, score }).html;
type Score = Parameters<typeof challengePage>[2]['score'];
const challengeWith = (score: Score, question?: string) => {
  const { challenge } = closedChallenge;
  const asked = { ...challenge, question: question ?? challenge.question };
  const first = score && 'resolution' in score ? score.resolution.first : null;
  const outcome = first ? ({ state: 'resolved', first } as const) : undefined;
  const data = { ...closedChallenge, challenge: asked };
  return challengePage(site, data, { isFirst: true, score, outcome }).html;
};

it.each([
  [9, 0.1, ', where always saying 50 % scores 0.25'],
  [10, 0.1, ', better than always saying 50 % (0.25)'],
  [10, 0.251, ', the same as always saying 50 % (0.25)'],
  [10, 0.4, ', worse than always saying 50 % (0.25)'],
])('compares %i forecasts with a mean of %f: %s', (n, mean, said) => {
  expect(againstChance({ n, mean })).toBe(said);
});

describe('a track record', () => {
  it('says its result in words, then its denominators, and folds the other measures', () => {
    const html = accountWith(accountScore);
    expect(textOf(html)).toMatch(
      /Track record\s*1 forecast scored\.\s*Average Brier score 0\.06, where always saying 50 % scores 0\.25\. Lower is better\./,
    );
    const sealed = { ...counts, sealed_pending_reveal: 7 };
    const data = { user, counts: sealed, etches: [], page };
    const withBlind = accountPage(site, data, { days: [], isFirst: true, score: accountScore }).html;
    expect(textOf(withBlind)).toContain(
      'Lower is better. 1 etch retracted, 7 sealed: some may be forecasts too.',
    );
    const { counts: states } = accountScore;
    const answered = { ...accountScore, counts: { ...states, forecasts: 8, sealed: 6, retracted: 1 } };
    expect(textOf(accountPage(site, data, { days: [], isFirst: true, score: answered }).html)).toContain(
      'Lower is better. 1 sealed: it may be a forecast too.',
    );
    expect(textOf(html)).toMatch(/All measures\s*1 forecast\s*Brier, yes and no\s*0\.0625 over 1/);
    expect(html).toMatch(/<details><summary>All measures<\/summary>/);
    expect(html).not.toMatch(/<circle |<script>/);
  });

  it('has a mean for each kind of question, with its unit', () => {
    const { by_others } = accountScore.scores;
    const loss = { n: 1, mean: 3.666, levels: [10, 50, 90] };
    const averagesOf = (quantile_loss: typeof by_others.quantile_loss): string => {
      const brier = { binary: { n: 2, mean: 0.81 }, several: { n: 1, mean: 0.01 } };
      const summary = { ...by_others, n: 4, brier, quantile_loss };
      const counts = { ...accountScore.counts, forecasts: 4, scored: 4 };
      const scores = { ...accountScore.scores, by_others: summary };
      return textOf(accountWith({ ...accountScore, counts, scores }));
    };
    expect(averagesOf([{ ...loss, unit: 'people' }])).toContain(
      '4 forecasts scored. Average Brier score 0.81 over 2 forecasts of yes or no, where always saying 50 % scores 0.25. Average Brier score 0.01 over 1 forecast with several outcomes. Average quantile loss 3.67 people over 1 forecast of a number. Lower is better.',
    );
    const four = ['mm', 'm', 'km', 'people'].map((unit) => ({ ...loss, unit }));
    expect(averagesOf(four)).toMatch(/3\.67 km over 1 forecast of a number\. “All measures” lists the/);
  });

  it('has one row for each forecast: question, what was said, what came true, score', () => {
    const [forecast] = accountScore.forecasts;
    const rowOf = (fields: Partial<typeof forecast>, unit: string | null = null): string => {
      const asked = new Map([[forecast!.etch_id, { title: 'Does the ice break?', unit }]]);
      const score = { ...accountScore, forecasts: [{ ...forecast!, ...fields }] };
      const data = { user, counts, etches: [], page };
      const { html } = accountPage(site, data, { days: [], isFirst: true, score, asked });
      return textOf(/<tbody>([^]*?)<\/tbody>/.exec(html.split('Each forecast')[1]!)![1]!).replace(
        /\s+/g,
        ' ',
      );
    };
    expect(rowOf({})).toContain('Does the ice break?yes 75 %yes0.06');
    expect(rowOf({ state: 'sealed', outcome: null, brier: null, forecast: null })).toContain('still sealed');
    const outcomes = [
      { name: 'Berlin', millionths: 283_333 },
      { name: 'Paris', millionths: 716_667 },
    ];
    const given = { form: 'outcomes' as const, outcomes, quantiles: [] };
    expect(rowOf({ forecast: given, outcome: 'Berlin' })).toContain('Berlin 28 %Berlin');
    expect(rowOf({ forecast: given, outcome: null })).toContain('Paris 72 %');
    const quantiles = [10, 50, 90].map((level) => ({ level, value: String(level) }));
    const number = { form: 'quantiles' as const, outcomes: [], quantiles };
    expect(rowOf({ forecast: number, unit: 'mm', outcome: '57' })).toContain('50 mm (10 to 90)57 mm');
    const loss = { forecast: number, unit: 'mm', outcome: '57', brier: null, quantile_loss: 3.666 };
    expect(rowOf(loss)).toContain('57 mm3.67 mm');
    const waiting = { forecast: number, outcome: null, brier: null, state: 'unresolved' as const };
    expect(rowOf(waiting, 'mm')).toContain('50 mm (10 to 90)not resolved');
  });

  it('draws its calibration from ten forecasts on, with a table', () => {
    const recordOf = (n: number) => {
      const { by_others } = accountScore.scores;
      const calibration = by_others.calibration.map((bin) => (bin.n > 0 ? { ...bin, n, yes: n } : bin));
      const scores = { ...accountScore.scores, by_others: { ...by_others, n, calibration } };
      return accountWith({ ...accountScore, scores });
    };
    expect(recordOf(9)).not.toContain('<circle ');
    const html = recordOf(10);
    expect(html).toContain('aria-label="said 75 %: 10 of 10 came true"');
    expect(html.match(/<circle /g)).toHaveLength(1);
    expect(textOf(html)).toMatch(/75 %\s*10\s*10 \(100 %\)\s*21 % to 100 %/);
    expect(html.indexOf('<circle ')).toBeLessThan(html.indexOf('All measures'));
  });

  it('is absent without forecasts, and gives the reason if it cannot be computed', () => {
    const none = { ...accountScore, counts: { ...accountScore.counts, forecasts: 0 } };
    expect(accountWith(none)).not.toContain('Track record');
    expect(textOf(accountWith({ problem: 'too many at once' }))).toContain(
      'Not shown now: too many at once.',
    );
  });
});

const RULE = 'Rain? settles-by: https://example.org/a.json /rain true=yes,false=no [yes|no]';

it('shows the rule of a question below it, and not in the question', () => {
  const text = textOf(challengeWith(challengeScore, RULE));
  expect(text).toMatch(/the value at \/rain of https:\/\/example.org\/a.json \(true: yes, false: no\)/);
  expect(text).not.toContain('settles-by');
  expect(questionText(RULE)).toBe('Rain?');
  expect(questionText('Rain? settles-by: nothing [yes|no]')).toBe('Rain? settles-by: nothing');
});

describe('standings', () => {
  it.each([
    ['Rain? [yes|no]', 'https://example.org', 'The author of the challenge decided the outcome.'],
    [RULE, `sha256:${'ab'.repeat(32)} https://example.org/a.json`, 'Settled by rule, document kept'],
    [
      RULE,
      `sha256:${'ab'.repeat(32)} https://other.example/a.json`,
      'The author of the challenge decided the outcome, although the question has a rule.',
    ],
    [RULE, 'I saw it', 'The author of the challenge decided the outcome, although the question has a rule.'],
    ['Rain? settles-by: nothing [yes|no]', 'I saw it', 'The author of the challenge decided the outcome.'],
  ])('say who settled %s with the source %s', (question, source, said) => {
    const first = { ...challengeScore.resolution.first!, source };
    const resolution = { ...challengeScore.resolution, first };
    const asked = { ...challengeScore.challenge, question };
    expect(textOf(challengeWith({ ...challengeScore, challenge: asked, resolution }, question))).toContain(
      said,
    );
  });

  it('label what the operator took down', () => {
    const [standing] = challengeScore.standings;
    const taken_down = [{ etch_id: standing!.etch_id, attested_at: '2026-03-01T12:01:00.000Z' }];
    const html = challengeWith({
      ...challengeScore,
      standings: [{ ...standing!, state: 'taken_down', rank: null, brier: null, takedowns: 1 }],
      counts: { ...challengeScore.counts, scored: 0, taken_down: 1, takedowns: 1 },
      resolution: { ...challengeScore.resolution, taken_down, taken_down_total: 1 },
    });
    const text = textOf(html);
    expect(text).toContain('Resolutions that the operator took down, which do not count (1):');
    expect(text).toContain('1 forecast: 0 scored, 1 taken down by the operator.');
    expect(text).toMatch(/In all their records, these accounts have .*1 etch taken down by the operator\./);
    expect(html).toContain('<td>taken down by the operator</td>');
  });

  it('name the resolution with its source, its corrections, and who resolved it themselves', () => {
    const { first } = challengeScore.resolution;
    const corrections = [{ ...first!, outcome: 'no', source: 'A later look' }];
    const standings = [{ ...challengeScore.standings[0]!, self_resolved: true }];
    const html = challengeWith({
      ...challengeScore,
      standings,
      resolution: { ...challengeScore.resolution, corrections, corrections_total: 1 },
    });
    const text = textOf(html);
    expect(text).not.toContain('taken down');
    expect(text).toMatch(/Resolved\s*by @agent_eb3102a6cb58/);
    expect(text).toContain('Source: https://harbour.example.org/log');
    expect(html).toContain('href="https://harbour.example.org/log" rel="nofollow noreferrer ugc"');
    expect(text).toMatch(/Corrections; they change nothing \(1\)/);
    expect(text).toContain('A later look');
    expect(text).toMatch(/1\s*@ada \(resolved it themselves\)\s*\d+ %[^%]*0\.06/);
  });

  it('begin with one sentence, and have a caption and a header in each row', () => {
    const html = challengeWith(challengeScore);
    expect(textOf(html)).toContain('Yes. @ada was closest: 75 %.');
    expect(html).toMatch(/<caption>Brier score: 0 is perfect, lower is better<\/caption>[^]*<th scope="row"/);
    expect(textOf(html)).toMatch(/^[^]*\bResolved\b(?!: )/);
    expect(textOf(html)).not.toContain('Resolved: yes');
    const counts = { ...challengeScore.counts, retractions: 0 };
    expect(textOf(challengeWith({ ...challengeScore, counts }))).not.toContain('These accounts');
    expect(textOf(html)).toMatch(/Answers.*The question.*Short link/);
    const question = 'Does it freeze? [yes|no]';
    const first = { ...challengeScore.resolution.first!, outcome: 'no' };
    const no = { ...challengeScore, resolution: { ...challengeScore.resolution, first } };
    expect(textOf(challengeWith(no, question))).toContain('No. @ada was closest: 25 % for no.');
  });

  it('name those who were equally close, and no value that differs', () => {
    const [best] = challengeScore.standings;
    const closest = (...names: string[]): string => {
      const standings = names.map((username) => ({ ...best!, username }));
      return textOf(challengeWith({ ...challengeScore, standings }));
    };
    expect(closest('ada', 'bea')).toContain('Yes. @ada and @bea were closest: 75 %.');
    expect(closest('ada', 'bea', 'cai', 'dov')).toContain('Yes. @ada, @bea and 2 others were closest: 75 %.');
  });

  const forecastOf = (...chances: number[]) => ({
    form: 'outcomes' as const,
    quantiles: [],
    outcomes: ['Berlin', 'Bergen', 'Bonn'].map((name, at) => ({
      name,
      millionths: (chances[at] ?? 0) * 10_000,
    })),
  });
  const valuesOf = (...values: string[]) => ({
    form: 'quantiles' as const,
    outcomes: [],
    quantiles: [10, 50, 90].map((level, at) => ({ level, value: values[at]! })),
  });
  it.each([
    [
      'Where? [Berlin|Bergen|Bonn]',
      'Berlin',
      forecastOf(45, 27.5, 27.5),
      forecastOf(50, 50),
      2,
      'had the best score with 45 %.',
    ],
    [
      'Where? [Berlin|Bergen|Bonn]',
      'Berlin',
      forecastOf(60, 20, 20),
      forecastOf(50, 50),
      2,
      'was closest: 60 %.',
    ],
    [
      'Where? [Berlin|Bergen|Bonn]',
      'Berlin',
      forecastOf(60, 20, 20),
      forecastOf(50, 50),
      3,
      'had the best score with 60 %.',
    ],
    [
      'How long? [number: nights]',
      '8',
      valuesOf('6', '7', '9'),
      valuesOf('1', '8', '30'),
      2,
      'had the best score with 7 nights.',
    ],
    [
      'How long? [number: nights]',
      '8',
      valuesOf('6', '7', '9'),
      valuesOf('1', '12', '30'),
      2,
      'was closest: 7 nights.',
    ],
  ])('call the best forecast of %s (%s) closest only if no other scored one is closer: %o, %o', (...row) => {
    const [question, outcome, forecast, other, scored, said] = row;
    const [best] = challengeScore.standings;
    const first = { ...challengeScore.resolution.first!, outcome };
    const standings = [
      { ...best!, forecast },
      { ...best!, rank: 2, username: 'bea', forecast: other },
    ];
    const score = {
      ...challengeScore,
      counts: { ...challengeScore.counts, scored },
      challenge: { ...challengeScore.challenge, question },
      resolution: { ...challengeScore.resolution, first },
      standings,
    };
    expect(textOf(challengeWith(score, question))).toContain(`@ada ${said}`);
  });

  it('mark the row of the reader, and say the rank that the table does not show', () => {
    const { challenge } = closedChallenge;
    const resolved = { state: 'resolved', first: challengeScore.resolution.first! } as const;
    const html = challengePage({ ...site, viewer: { ...viewer, username: 'ada' } }, closedChallenge, {
      isFirst: true,
      score: challengeScore,
      outcome: resolved,
      answered: { id: challenge.id, retracted: false },
      rank: { rank: 31, of: 80, brier: 0.36, quantile_loss: null, forecast: null, outcome: 'yes' },
    }).html;
    expect(textOf(html)).toContain('You answered: your answer. You ranked 31st of 80: Brier score 0.36.');
    expect(textOf(html)).toContain('@ada (you)');
    expect(textOf(challengeWith(challengeScore))).not.toContain('(you)');
  });

  it('say why a question is unresolved', () => {
    const unresolved = {
      state: 'unresolved' as const,
      first: null,
      reason: 'its creator has not resolved it',
    };
    const resolution = { ...challengeScore.resolution, ...unresolved };
    const html = challengeWith({ ...challengeScore, resolution, standings: [] });
    expect(textOf(html)).toContain('Not resolved: its creator has not resolved it.');
  });
});

describe('words of a convention', () => {
  const shown = (content: string) =>
    textOf(etchPage(site, etch({ content, canonical_string: content })).html);

  it('are shown in words, above the text', () => {
    expect(shown('svc-forecast:v1 yes=0.72\nBecause.')).toMatch(/Forecast\s*72.% chance of yes/);
    expect(shown('svc-forecast:v1 yes=0.283333')).toMatch(/Forecast\s*28.% chance of yes[^]*yes=0\.283333/);
    expect(shown('svc-forecast:v1 q10=3 q90=9')).toContain('10 % chance of at most 3');
    const target = 'ba2700ee-b11f-45fe-a934-06098975d379';
    expect(shown(`svc-resolution:v1 ${target} void the gauge broke`)).toMatch(
      new RegExp(`Resolves\\s*${target}\\s*Came true\\s*void\\s*Source\\s*the gauge broke`),
    );
    expect(shown(`svc-files:v1\n${'ab'.repeat(32)}  plan.txt\n`)).toMatch(/File\s*plan\.txt/);
    expect(shown(`svc-files:v1 root=${'ab'.repeat(32)} files=7`)).toMatch(/Files\s*7/);
  });

  it('have the unit of the question after each number', () => {
    const question = 'How long? [number: nights]';
    const subject = { path: '/ch/1', title: 'How long?', unit: ' nights' };
    const stated = `svc-resolution:v1 ${closedChallenge.challenge.id} 8 the log`;
    expect(wordsText(stated, { subject })).toBe('Outcome: 8 nights · Source: the log');
    expect(wordsText(stated.replace(' 8 ', ' void '), { subject })).toContain('Resolved as void');
    const asked = { id: closedChallenge.challenge.id, question, url: closedChallenge.challenge.url };
    const answer = etch({ content: 'svc-forecast:v1 q50=8', challenge: asked });
    expect(atomEntry(site, answer)).toContain('50 % chance of at most 8 nights');
    const challenge = { ...closedChallenge.challenge, question };
    const outcome = { state: 'pending', etchId: answer.id, outcome: '8' } as const;
    const html = challengePage(site, { ...closedChallenge, challenge }, { isFirst: true, outcome }).html;
    expect(textOf(html)).toContain('resolved it: 8 nights. The outcome counts once');
  });

  it('of a resolved forecast are followed by the time of the resolution', () => {
    const forecast = etch({ content: 'svc-forecast:v1 yes=0.72' });
    const result = { ...accountScore.forecasts[0]!, resolved_at: '2026-05-03T12:00:00.000Z' };
    const { html } = etchPage(site, forecast, { result: result as never });
    expect(textOf(html)).toMatch(/Written.*Anchored.*Resolved3 May 2026, 12:00 UTC/);
    expect(shown('svc-forecast:v1 yes=0.72')).not.toMatch(/Resolved\d/);
  });

  it('are shown in words on cards too, a forecast with its text', () => {
    const listed = (content: string) => {
      const data = { user, counts, etches: [etch({ content })], page };
      return textOf(accountPage(site, data, { days: [], isFirst: true }).html);
    };
    expect(listed('svc-forecast:v1 q10=3 q90=9\nAs ever.')).toMatch(
      /10 % chance of at most 3 · 90 % chance of at most 9\s*As ever\./,
    );
    expect(listed('svc-forecast:v1 yes=0.72')).toMatch(/yes 72 %(?! · no)/);
    expect(listed('svc-forecast:v1 yes=0.72')).not.toContain('svc-forecast');
    expect(listed('svc-forecast:v1 yes=1.2')).toContain('svc-forecast:v1 yes=1.2');
  });

  it('are plain text if malformed', () => {
    expect(shown('svc-forecast:v1 yes=1.2')).not.toMatch(/Forecast\s/);
  });
});
