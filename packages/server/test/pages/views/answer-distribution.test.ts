// Runs without a database.
import { parseQuestion } from '@svc/protocol/conventions';
import { describe, expect, it } from 'vitest';
import { challengePage } from '../../../src/http/pages/challenge.tsx';
import { readAnswer, distributionOf } from '@svc/web/answer-distribution';
import { challengeScore, closedChallenge } from '../../../../../testing/scored.ts';
import { draftId } from '../../../src/http/pages/signed-in/drafts.ts';
import { etch, site, textOf, viewer } from '../../../../../testing/views.ts';

const YES_NO = parseQuestion('Will it freeze? [yes|no]');
const NUMBER = parseQuestion('How many? [number: herons]');
const TEXT = parseQuestion('How many?');
const distributionOfTexts = (format: ReturnType<typeof parseQuestion>, contents: readonly string[]) =>
  distributionOf(
    format,
    contents.map((content) => readAnswer(format, content)),
  );
const chance = (yes: string) => `svc-forecast:v1 yes=${yes}\nReasons.`;

describe('the value of an answer', () => {
  it.each([
    ['412', 412],
    [' -3.5\n', -3.5],
    ['1,200', null],
    ['about 400', null],
    ['500 people', null],
    ['4e2', null],
    ['', null],
  ])('is a number only if the text is nothing else: %j', (content, number) => {
    expect(readAnswer(TEXT, content)).toBe(number);
  });

  it('is the part of a forecast that the question asks for', () => {
    expect(readAnswer(YES_NO, chance('0.72'))).toBe(72);
    expect(readAnswer(YES_NO, 'svc-forecast:v1 red=1')).toBeNull();
    expect(readAnswer(YES_NO, '0.72')).toBeNull();
    expect(readAnswer(NUMBER, 'svc-forecast:v1 q10=3 q50=5.5 q90=9')).toBe(5.5);
    expect(readAnswer(NUMBER, 'svc-forecast:v1 q10=3 q90=9')).toBeNull();
    expect(readAnswer(parseQuestion('Which? [red|blue]'), 'svc-forecast:v1 blue=1')).toEqual([0, 100]);
  });
});

describe('a distribution', () => {
  it('of chances has ten bins, and the last one includes 100 %', () => {
    const found = distributionOfTexts(YES_NO, ['0', '0.1', '0.199999', '0.9', '1'].map(chance));
    expect(found).toMatchObject({ kind: 'chance', answers: 5, read: 5, middle: { median: 19.9999 } });
    expect(found?.kind === 'chance' && found.bins.map(({ count }) => count)).toEqual([
      1, 2, 0, 0, 0, 0, 0, 0, 0, 2,
    ]);
  });

  it.each([
    [['1', '1', '1']],
    [['0.001', '0.002', '0.0035']],
    [['-999999999999', '0', '999999999999.5']],
    [['7', '8', '9', '30']],
  ])('of numbers counts each once, in at most ten bins: %j', (contents) => {
    const found = distributionOfTexts(TEXT, contents);
    if (found?.kind !== 'number') throw new Error('not drawn');
    expect(found.bins.length).toBeLessThanOrEqual(10);
    expect(found.bins.reduce((sum, { count }) => sum + count, 0)).toBe(contents.length);
    for (const { from, to } of found.bins) expect(to).toBeGreaterThan(from);
    expect(found.bins[0]!.from).toBeLessThanOrEqual(Number(contents[0]));
    expect(found.bins.at(-1)!.to).toBeGreaterThan(Number(contents.at(-1)));
  });

  it('is drawn for three or more answers, and for texts if most are numbers', () => {
    expect(distributionOfTexts(TEXT, ['1', '2', 'three'])).toBeUndefined();
    expect(distributionOfTexts(TEXT, ['1', '2', '3', 'a', 'b', 'c', 'd'])).toBeUndefined();
    expect(distributionOfTexts(TEXT, ['1', '2', '3', 'a'])).toMatchObject({ answers: 4, read: 3 });
    expect(distributionOfTexts(YES_NO, [chance('0.5'), chance('0.6'), 'nothing'])).toBeUndefined();
  });
});

describe('a challenge that is open', () => {
  const words = `${'The nights are clear and the wind turns north. '.repeat(30)}The end.`;
  const answers = [
    etch({ description: 'Sealed answer to: Which day?', content: words }),
    etch({ content: 'W'.repeat(2_000) }),
  ];
  const page = (beside: Partial<Parameters<typeof challengePage>[2]> = {}) =>
    challengePage(site, { ...closedChallenge, etches: answers }, { isFirst: true, ...beside }).html;

  it('shows author and answer, the question once, and no word cut', () => {
    const html = page();
    expect(html).not.toContain('Sealed answer to');
    // The code of the embed has the question as its title.
    const main = html.slice(html.indexOf('id="main"')).replace(/<code[^]*?<\/code>/g, '');
    expect(main.split(closedChallenge.challenge.question)).toHaveLength(2);
    expect(textOf(main)).toMatch(
      /(clear|and|the|wind|turns|north\.|The|nights|are)…Read all 1,418 characters/,
    );
    expect(html).toContain(`<bdi>${'W'.repeat(700)}</bdi>…`);
  });

  it('lists the number of answers in each range, and describes it in words', () => {
    const listed = (shown: string) =>
      [...shown.matchAll(/<th scope="row">(.*?)<\/th><td>(.*?)<\/td>/g)]
        .map(([, name, value]) => `${textOf(name!)}: ${value}`)
        .join('; ');
    const html = page({ distribution: distributionOfTexts(TEXT, ['1', '2', '4', 'about five']) });
    expect(textOf(html)).toContain('3 of 4 public answers are numbers; the chart leaves out the other one.');
    expect(listed(html)).toBe('1: 1; 2: 1; 3: 0; 4: 1');
    const halves = page({ distribution: distributionOfTexts(TEXT, ['12', '14.5', '17']) });
    expect(listed(halves)).toContain('12 to 13: 1; 13 to 14: 0; 14 to 15: 1;');
    expect(textOf(html)).not.toContain('Each range');
    expect(textOf(halves)).toContain('Each range includes its first value, but not its last.');
    const chances = page({ distribution: distributionOfTexts(YES_NO, ['0', '0.5', '1'].map(chance)) });
    expect(textOf(chances)).toContain('but not its last; the last range includes 100 %.');
    expect(textOf(chances)).not.toMatch(/of 3 public answers|counts once/);
  });

  it('marks the outcome, and cuts no name of an outcome', () => {
    const names = ['Liechtenstein with the Principality', '春夏秋冬春夏秋冬春夏秋冬'];
    const outcomes = names.map((name, at) => ({ name, mean: at === 0 ? 100 : 0 }));
    const html = page({
      distribution: { answers: 3, read: 3, kind: 'outcomes', outcomes },
      outcome: { state: 'resolved', first: { ...challengeScore.resolution.first!, outcome: names[0]! } },
    });
    expect(textOf(html)).toMatch(
      /✓ Liechtenstein with the Principality · came true100 %春夏秋冬春夏秋冬春夏秋冬0 %/,
    );
  });

  it('marks no range of chances, and says which end is yes', () => {
    const distribution = distributionOfTexts(YES_NO, ['0.6', '0.7', '0.8'].map(chance));
    const first = { ...challengeScore.resolution.first!, outcome: 'no' };
    const html = textOf(page({ distribution, outcome: { state: 'resolved', first } }));
    expect(html).not.toMatch(/✓|came true/);
    expect(html).toMatch(/0 to 10 % \(no\).*90 to 100 % \(yes\)/);
  });

  it('begins with what the forecasts say and how it is resolved, until it is resolved', () => {
    const html = (question: string, values: readonly string[]) => {
      const asked = { ...closedChallenge.challenge, question };
      const distribution = distributionOfTexts(parseQuestion(question), values);
      return textOf(
        challengePage(site, { ...closedChallenge, challenge: asked }, { isFirst: true, distribution }).html,
      );
    };
    expect(html('Rain? [yes|no]', ['0.6', '0.7', '0.8'].map(chance))).toMatch(
      /Closed, not resolved.*The middle forecast says 70 % for yes\..*What is proven.*The forecasts range from 60 % to 80 %\..*The question.*Resolved by.*Answers/,
    );
    const values = ['3', '12', '30'].map((value) => `svc-forecast:v1 q10=1 q50=${value} q90=40`);
    expect(html('How many? [number: herons]', values)).toMatch(
      /The middle answer is 12 herons\..*0 to 5 herons/,
    );
    const towns = ['red=0.6 blue=0.4', 'red=0.7 blue=0.3', 'blue=1'].map((said) => `svc-forecast:v1 ${said}`);
    expect(html('Which? [red|blue]', towns)).toContain('blue has the highest average chance: 57 %.');
    const equal = ['red=0.5 blue=0.5', 'red=0.501 blue=0.499', 'red=0.5 blue=0.5'];
    expect(
      html(
        'Which? [red|blue]',
        equal.map((said) => `svc-forecast:v1 ${said}`),
      ),
    ).not.toContain('highest');
  });

  it('has a link to the form, and lists no orders of few answers', () => {
    const open = { ...closedChallenge.challenge, closed: false };
    const { question } = open;
    const answering = { id: draftId({}), question, topic: 'Science' };
    const html = (etches: number) =>
      challengePage(
        site,
        { ...closedChallenge, challenge: open, counts: { ...closedChallenge.counts, etches } },
        { isFirst: true, answering },
      ).html;
    expect(html(0)).toMatch(/<a class="button to-answer" href="#answer">/);
    expect(textOf(html(0))).toContain('Be the first to answer.');
    expect(html(4)).not.toContain('Newest first');
    expect(html(5)).toContain('Newest first');
  });

  it('links an author to the existing answer instead of a second form', () => {
    const open = { ...closedChallenge, challenge: { ...closedChallenge.challenge, closed: false } };
    const { question } = open.challenge;
    const answering = { id: draftId({}), question, topic: 'Science', revealAt: '2027-01-01T00:00:00.000Z' };
    const html = (beside: { answered?: { id: string; retracted: boolean } }) =>
      challengePage({ ...site, viewer }, open, { isFirst: true, ...beside }).html;
    const unanswered = challengePage({ ...site, viewer }, open, { isFirst: true, answering }).html;
    expect(unanswered).toContain('action="/write"');
    expect(unanswered).toContain(`name="challenge_id" value="${answering.id}"`);
    const visited = challengePage(site, open, { isFirst: true, answering }).html;
    expect(visited).toContain('action="/write"');
    expect(visited).not.toMatch(/name="draft"|drafts\./);
    const { id } = etch();
    expect(textOf(html({ answered: { id, retracted: false } }))).toContain('You answered: your answer');
    expect(html({ answered: { id, retracted: true } })).not.toContain('action="/write"');
    expect(html({ answered: { id, retracted: true } })).toContain(`href="/e/${id}"`);
  });

  it('says what it asks, who resolves it, and when it closes', () => {
    const terms = (question: string): string => {
      const asked = { ...closedChallenge.challenge, closed: false, question };
      const now = Date.parse(asked.reveal_at) - 3 * 86_400_000;
      const text = textOf(
        challengePage({ ...site, now }, { ...closedChallenge, challenge: asked }, { isFirst: true }).html,
      );
      expect(text).toContain('Closes in 3 days');
      return text;
    };
    expect(terms('Rain? [yes|no]')).toMatch(
      /chance of yes, from 0 to 100 %[^]*none given[^]*named with the resolution[^]*@ada, after the challenge closes/,
    );
    expect(terms('Which? [red|blue]')).toMatch(/chance of each outcome, 100 % in all:\s*red\s*blue/);
    expect(terms('How much? [number: mm]')).toMatch(
      /3 values in mm: the number is at most each of them with 10 %, 50 % and 90 % chance\./,
    );
    expect(terms('Why?')).toContain('none: readers judge the answers');
    const rule = 'Rain? settles-by: https://example.org/a.json /rain true=yes,false=no [yes|no]';
    expect(terms(rule)).toMatch(/value at \/rain of https:\/\/example.org\/a.json \(true: yes, false: no\)/);
  });
});
