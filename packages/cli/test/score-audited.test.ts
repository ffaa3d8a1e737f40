import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Etch } from '@svc/sdk';
import { freshHome } from '../../../testing/clients/svc.ts';
import { startLyingService } from '../../../testing/system/lying-service.ts';
import type { LyingService } from '../../../testing/system/lying-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const home = freshHome();
let liar: LyingService;
let username: string;
let forecast: Etch;
let resolution: Etch;

const run = (args: string[], url = service.url) => svcHere(args, { home, env: { SVC_BASE_URL: url } });
const json = (args: string[]) => jsonOf(run([...args, '--json']));
async function scoreWith(id: string, change: (etch: any) => void) {
  liar.lie = (path, body) => {
    if (!path.includes('/users/') || body.etches === undefined) return undefined;
    for (const etch of body.etches) if (etch.id === id) change(etch);
    return body;
  };
  const args = ['score', username, '--trust', service.url, '--json'];
  const { status, out, err } = await run(args, liar.url);
  expect(out, err).not.toBe('');
  return { status, ...JSON.parse(out) };
}

beforeAll(async () => {
  username = (await json(['register', '--name', 'scored'])).user.username;
  const about = ['--description', 'Rain', '--wait'];
  forecast = (await json(['etch', '--forecast', 'yes=0.5', ...about])).etch;
  const said = ['--resolve', forecast.id, '--outcome', 'yes', '--source', 'the gauge', '--wait'];
  resolution = (await json(['etch', ...said])).etch;
  liar = await startLyingService(service.url);
});
afterAll(() => liar.stop());

const scoreOf = ({ score }: any) => [score.counts.scored, score.scores.self_resolved.brier.binary.mean];
const faultsOf = ({ audit }: any) =>
  audit.accounts[0].faults.map(({ what, etch_id }: any) => [what, etch_id]);
const hideWords = (etch: any) =>
  Object.assign(etch, { content: null, salt: null, created_at: null, canonical_string: null });

test('passes the audit of an honest record', async () => {
  const told = await scoreWith(forecast.id, () => undefined);
  expect([told.status, told.audit.result, scoreOf(told)]).toEqual([0, 'pass', [1, 0.25]]);
});

// vectors/invalid/audited-fields.json has the other fields.
describe('fails the audit, and scores no field that it did not check', () => {
  test.each<[string, () => string, (etch: any) => void, string, [number, number | null]]>([
    [
      'another forecast next to the canonical string',
      () => forecast.id,
      (etch) => (etch.content = 'svc-forecast:v1 yes=0.9'),
      'altered',
      [1, 0.25],
    ],
    [
      'words without the canonical string',
      () => forecast.id,
      (etch) => (etch.canonical_string = null),
      'altered',
      [0, null],
    ],
    [
      'a takedown without a tombstone',
      () => resolution.id,
      (etch) => {
        hideWords(etch);
        Object.assign(etch, { status: 'retracted', retracted_by: 'operator', retraction_reason: 'abuse' });
      },
      'no tombstone',
      [0, null],
    ],
  ])('%s', async (_what, id, change, what, score) => {
    const told = await scoreWith(id(), change);
    expect(faultsOf(told)).toEqual([[what, id()]]);
    expect([told.status, told.audit.result, scoreOf(told)]).toEqual([1, 'fail', score]);
  });
});

test('fails the audit before the score if the record leaves a forecast out', async () => {
  liar.lie = (path, body) =>
    path.includes('/users/') && body.etches !== undefined
      ? { ...body, etches: body.etches.filter(({ id }: Etch) => id !== forecast.id) }
      : undefined;
  await ends(run(['score', username, '--trust', service.url], liar.url), 1, {
    out: /^The audit FAILS: the records have missing or changed etches/,
  });
});

test('counts and names an instant etch that is shown as sealed', async () => {
  const what = 'sealed although instant';
  const told = await scoreWith(forecast.id, (etch) => Object.assign(hideWords(etch), { status: 'sealed' }));
  const notice = { username, what, etch_id: forecast.id, hash: forecast.hash };
  expect(told.audit).toMatchObject({ result: 'pass', notices: [notice], notices_total: 1 });
  await ends(run(['score', username, '--trust', service.url], liar.url), 0, {
    out: [`INFO  1 etch ${what}\n`, `INFO  ${username}: ${what}: etch ${forecast.id} (${forecast.hash})\n`],
  });
});
