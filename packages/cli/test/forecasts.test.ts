import { beforeAll, describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { eventually, patient } from '../../../testing/wait.ts';
import { save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { freshHome, type Ran } from '../../../testing/clients/svc.ts';

const service = useSharedService();
const home = freshHome();
const as = (profile: string, args: string[]): Promise<Ran> =>
  svcHere(args, { home, env: { SVC_BASE_URL: service.url, SVC_PROFILE: profile } });
const json = (profile: string, args: string[]) => jsonOf(as(profile, [...args, '--json']));
const refused = (profile: string, args: string[], why: RegExp) =>
  ends(as(profile, args), 64, { out: '', err: why });

const names: Record<string, string> = {};
beforeAll(async () => {
  for (const profile of ['asker', 'ada', 'ben', 'eve', 'mia', 'kai', 'lea', 'noa'])
    names[profile] = (await json(profile, ['register', '--name', profile])).user.username;
});

describe('before anything is etched', () => {
  const about = ['--description', 'Rain'];
  const many = Array.from({ length: 101 }, (_, n) => `o${n}=0`).join(' ');
  test.each<[string, string[], RegExp]>([
    [
      'probabilities that do not sum to 1',
      ['--forecast', 'a=0.5', '--forecast', 'b=0.4'],
      /sum to 0\.9, not to 1/,
    ],
    ['NaN', ['--forecast', 'yes=NaN'], /NaN is not a probability/],
    ['a percentage', ['--forecast', 'yes=72%'], /such as 0\.72/],
    ['101 outcomes', ['--forecast', many], /at most 100 outcomes, not 101/],
    ['quantiles that fall', ['--forecast', 'q10=5 q90=3'], /a higher quantile cannot have a lower value/],
    ['a direction in a name', ['--forecast', 'ye\u202es=1'], /U\+202E/],
    ['half a resolution', ['--resolve', 'abc234', '--outcome', 'yes'], /requires --outcome and --source/],
    ['an outcome of nothing', ['text', '--outcome', 'yes'], /require --resolve/],
    ['words that begin as a forecast', ['svc-forecast:v1 yes=2'], /count as plain text only: .*--as-text/],
    ['words of another version', ['svc-files:v2'], /this version is unknown/],
  ])('%s', async (_what, args, why) => {
    await refused('ada', ['etch', ...args, ...about], why);
  });

  test('rejects an outcome that cannot be a name', async () => {
    const outcomes = ['--outcome', 'New York', '--outcome', 'a|b'];
    await refused(
      'asker',
      ['challenge', 'create', 'Where?', ...outcomes, '--closes', '1h'],
      /cannot be the name/,
    );
  });

  test('removes a byte order mark at the beginning of a file or of standard input', async () => {
    const content = 'svc-forecast:v1 yes=0.72\r\nThe wind turns.';
    const file = save(`\uFEFF${content}\r\n`);
    const env = { SVC_BASE_URL: service.url, SVC_PROFILE: 'mia' };
    const etchFrom = (args: string[], input = '') =>
      svcHere(['etch', ...args, ...about, '--json'], { home, input, env });
    for (const ran of [etchFrom(['--file', file]), etchFrom(['-'], `\uFEFF${content}\n`)])
      await ends(ran, 0, { json: { etch: { content } } });
    await ends(etchFrom(['--file', file, '--exact']), 64, {
      err: 'a byte order mark (U+FEFF) is before the tag',
    });
  });

  test('warns of an outcome with letters of several scripts', async () => {
    const err = 'the outcome p\u0430ris mixes letters of Cyrillic and Latin';
    const question = ['challenge', 'create', 'Where? [p\u0430ris|rome]', '--closes', '7d'];
    await ends(as('asker', question), 0, { err });
    const etch = (forecast: string) => as('mia', ['etch', '--forecast', forecast, ...about]);
    await ends(etch('p\u0430ris=0.4 rome=0.6'), 0, { err });
    await ends(etch('paris=0.4 rome=0.6'), 0, { without: 'mixes' });
  });

  test('etches a malformed forecast as text with --as-text', async () => {
    const { etch } = await json('ada', ['etch', 'svc-forecast:v1 yes=2', ...about, '--as-text']);
    expect(etch.content).toBe('svc-forecast:v1 yes=2');
  });
});

test.concurrent('asks, answers, resolves and scores a question whose outcomes have spaces', async () => {
  const outcomes = ['--outcome', 'New York', '--outcome', 'S\u00e3o Paulo', '--outcome', 'Rome'];
  const { challenge } = await json('asker', [
    'challenge',
    'create',
    'Where is it held?',
    ...outcomes,
    '--closes',
    `${patient(12)}s`,
  ]);
  expect(challenge.question).toBe('Where is it held? [outcomes: New York | S\u00e3o Paulo | Rome]');
  const enter = (profile: string, ...forecasts: string[]) =>
    json(profile, [
      'challenge',
      'enter',
      challenge.id,
      ...forecasts.flatMap((forecast) => ['--forecast', forecast]),
    ]);
  await refused(
    'kai',
    ['challenge', 'enter', challenge.id, '--forecast', 'Old York=1'],
    /no outcome Old York/,
  );
  const answers = [
    await enter('kai', 'New York=0.5 S\u00e3o Paulo=0.5'),
    await enter('lea', 'S\u00e3o Paulo=0.5', 'New York=0.25', 'Rome=0.25'),
    await enter('noa', 'Rome=1'),
  ];
  for (const until of ['anchored', 'revealed'])
    await Promise.all(answers.map(({ etch }) => json('kai', ['watch', etch.id, '--until', until])));
  const resolve = ['--outcome', 'New York', '--source', 'https://example.org/a | b', '--wait'];
  const { etch } = await json('asker', ['etch', '--resolve', challenge.id, ...resolve]);
  expect(etch).toMatchObject({
    content: `svc-resolution:v2 ${challenge.id} New York | https://example.org/a | b`,
    description: `svc-resolution:v1 ${challenge.id}`,
  });
  const { score } = await json('noa', ['score', challenge.id, '--trust', service.url]);
  // 0.25 + 0.25; 0.5625 + 0.25 + 0.0625; 1 + 1
  expect(score.standings.map((one: any) => [one.username, one.brier])).toEqual([
    [names['kai'], 0.5],
    [names['lea'], 0.875],
    [names['noa'], 2],
  ]);
});

test.concurrent('asks, answers, resolves, corrects and scores a question', async () => {
  const plain = await as('asker', ['challenge', 'create', 'Where? [New York|Paris]', '--closes', '1h']);
  expect(plain.err).toContain('Answers will be plain texts, which svc score cannot score');
  expect(plain.err).toContain('write [outcomes: New York | Paris]');

  const ask = async (question: string, closes: string): Promise<{ id: string; url: string }> =>
    (await json('asker', ['challenge', 'create', question, '--closes', closes])).challenge;
  const enter = (id: string, ...args: string[]) => ['challenge', 'enter', id, ...args];
  const resolve = (outcome: string, target: string) => [
    'etch',
    '--resolve',
    target,
    '--outcome',
    outcome,
    '--source',
    'the gauge',
  ];
  const open = await ask('Will it snow? [yes|no]', '1h');
  await Promise.all([
    refused('ada', enter(open.id, 'It will.'), /count as malformed: the question asks for a forecast/),
    refused('ada', enter(open.id, '--forecast', 'red=1'), /the question has no outcome red: yes, no/),
    refused('asker', resolve('yes', open.id), /is open until .*; resolve it after that/),
  ]);

  const challenge = await ask('Will it rain? [yes|no]', `${patient(12)}s`);
  const answers = await Promise.all([
    json('ada', enter(challenge.id, 'The wind turns.', '--forecast', 'yes=0.75')),
    json('ben', enter(challenge.id, '--forecast', 'yes=0.25')),
    json('eve', enter(challenge.id, 'Who knows.', '--as-text')),
  ]);
  expect(answers[0].etch).toMatchObject({ status: 'sealed', challenge: { id: challenge.id } });
  const watch = (until: string) =>
    answers.map(({ etch }) => json('ada', ['watch', etch.id, '--until', until]));
  await Promise.all([...watch('anchored'), ...watch('revealed')]);

  await refused('ada', resolve('yes', challenge.id), /only its creator .* can resolve this challenge/);
  const unknown = /the question has no outcome perhaps: yes, no, void/;
  await refused('asker', resolve('perhaps', challenge.id), unknown);
  const { etch: first } = await json('asker', [...resolve('yes', challenge.id), '--wait']);
  expect(first).toMatchObject({ mode: 'instant', description: `svc-resolution:v1 ${challenge.id}` });
  await json('asker', [...resolve('no', challenge.id), '--wait']);

  await ends(as('eve', ['score', challenge.url, '--trust', service.url]), 0, {
    out: [
      'RESOLVED: yes by ',
      'later, not counted: no',
      '3 forecasts, 2 scored, 0 late, 1 malformed',
      'PASS: nothing is left out, and nothing was changed.',
    ],
  });
  const { audit, score } = await json('eve', ['score', challenge.id, '--trust', service.url]);
  expect(audit.result).toBe('pass');
  expect(score.standings.map((one: any) => [one.username, one.rank, one.brier])).toEqual([
    [names['ada'], 1, 0.0625],
    [names['ben'], 2, 0.5625],
    [names['eve'], null, null],
  ]);
  await ends(as('eve', ['score', names['ada']!]), 2, { out: /^The audit does not pass/ });

  // The first resolution is retracted, so the question stays unresolved despite a second one.
  await json('asker', ['retract', first.id, '--yes']);
  await eventually('the tombstone is anchored', async () => {
    const ran = await as('ada', ['score', names['ada']!, '--trust', service.url, '--json']);
    if (ran.status !== 0) return false;
    const { score: now } = JSON.parse(ran.out);
    expect(now.counts).toMatchObject({ scored: 0, unresolved: 1, retractions: 0 });
    expect(now.forecasts.find((one: any) => one.challenge_id === challenge.id).reason).toContain(
      'its author retracted it',
    );
    return true;
  });
});

test.concurrent('rejects an answer with other quantile levels than the question', async () => {
  const ask = async (question: string): Promise<[id: string, note: string]> => {
    const ran = await as('asker', ['challenge', 'create', question, '--closes', '1h']);
    return [/^id +(\S+)$/m.exec(ran.out)![1]!, ran.err];
  };
  const [plain, plainNote] = await ask('How much will it rain? [number: mm]');
  const [wide, wideNote] = await ask('How much will it snow? [number: mm; 5 50 95]');
  expect(plainNote).toContain('Each answer must give the quantiles q10 q50 q90, in mm.');
  expect(wideNote).toContain('Each answer must give the quantiles q5 q50 q95, in mm.');
  const enter = (id: string, forecast: string) => ['challenge', 'enter', id, '--forecast', forecast];
  await refused('ada', enter(plain, 'q99=99'), /give exactly the quantiles q10 q50 q90, not q99/);
  await refused('ada', enter(wide, 'q10=1 q50=2 q90=3'), /exactly the quantiles q5 q50 q95, not q10 q50 q90/);
  await json('ada', enter(wide, 'q50=2 q5=1 q95=3'));
});

test.concurrent('marks a forecast that its author resolves', async () => {
  const forecast = ['--forecast', 'q10=3 q50=5 q90=9', '--description', 'Ships', '--wait'];
  const { etch } = await json('mia', ['etch', ...forecast]);
  const resolve = (outcome: string) => ['etch', '--resolve', etch.id, '--outcome', outcome, '--source', 'x'];
  await refused('ada', resolve('6'), /only its author .* can resolve/);
  await refused('mia', resolve('six'), /six is not a number/);
  await json('mia', ['etch', '--resolve', etch.code, '--outcome', '7', '--source', 'my own eyes', '--wait']);
  const { score } = await json('mia', ['score', names['mia']!, '--trust', service.url]);
  expect(score.counts).toMatchObject({ self_resolved: 1 });
  expect(score.scores.self_resolved.quantile_loss).toEqual([
    { unit: null, levels: [10, 50, 90], n: 1, mean: (0.4 + 1 + 0.2) / 3 },
  ]);
  expect(score.scores.by_others.quantile_loss).toEqual([]);
});
