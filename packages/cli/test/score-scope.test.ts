import { beforeAll, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { eventually, patient } from '../../../testing/wait.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

// Ada and bob are accounts of one author; bob resolves a challenge that ada answered.
const service = useSharedService();
const homes = { ada: freshHome(), bob: freshHome() };
type Name = keyof typeof homes;
const run = (who: Name, args: string[]) =>
  svcHere(args, { home: homes[who], env: { SVC_BASE_URL: service.url } });
const json = (who: Name, args: string[]) => jsonOf(run(who, [...args, '--json']));
const names = {} as Record<Name, string>;
let scope: string;

beforeAll(async () => {
  const ids = {} as Record<Name, string>;
  for (const who of ['ada', 'bob'] as const) {
    const { user } = await json(who, ['register']);
    names[who] = user.username;
    ids[who] = user.id ?? user.user_id;
  }
  await run('ada', ['trust', service.url]);
  const { challenge } = await json('bob', [
    'challenge',
    'create',
    'Rain? [yes|no]',
    '--closes',
    `${patient(10)}s`,
  ]);
  await json('ada', ['challenge', 'enter', challenge.id, '--forecast', 'yes=0.5', '--wait']);
  const { etch } = await json('bob', ['etch', '--forecast', 'yes=1', '--description', 'Sun?', '--wait']);
  await json('bob', ['etch', '--resolve', etch.id, '--outcome', 'yes', '--source', 'the sky', '--wait']);
  const words = `svc-scope:v1\nsubject My forecasts\naccount ${ids.bob} ${names.bob}`;
  scope = (await json('ada', ['etch', words, '--description', 'My scope', '--wait'])).etch.id;
  await eventually('the challenge is closed', async () => {
    const shown = await json('ada', ['challenge', 'show', challenge.id]);
    return shown.challenge.closed;
  });
  await json('bob', [
    'etch',
    '--resolve',
    challenge.id,
    '--outcome',
    'yes',
    '--source',
    'the gauge',
    '--wait',
  ]);
});

test('scores every account of a scope together, and says so', async () => {
  await ends(run('ada', ['score', '--scope', scope]), 0, {
    out: [
      `${names.ada}, ${names.bob} together: 2 forecasts, 2 scored (2 self-resolved)`,
      'resolved by others: none',
    ],
    last: /^PASS: complete as declared: 2 accounts for "My forecasts"\./,
  });
});

test('a forecast that another account of the scope resolved counts as self-resolved', async () => {
  const alone = await json('ada', ['score', names.ada]);
  expect(alone.score.counts).toMatchObject({ scored: 1, self_resolved: 0 });
  const together = await json('ada', ['score', '--scope', scope]);
  expect(together.scope).toMatchObject({ etch: scope, state: 'declared', result: 'pass' });
  expect(together.score.accounts.map(({ username }: { username: string }) => username)).toEqual([
    names.ada,
    names.bob,
  ]);
  expect(together.score.counts).toMatchObject({ scored: 2, self_resolved: 2 });
  expect(together.score.scores.by_others.n).toBe(0);
  expect(together.score.scores.self_resolved.brier.binary).toEqual({ n: 2, mean: 0.125 });
});

test('requires one target', async () => {
  expect(await run('ada', ['score'])).toMatchObject({ status: 64 });
  expect(await run('ada', ['score', names.ada, '--scope', scope])).toMatchObject({ status: 64 });
});
