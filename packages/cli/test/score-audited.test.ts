import { beforeAll, expect, test } from 'vitest';
import { startChangingService } from '../../../testing/system/changing-service.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, run, json } = useAccount();
let username: string;
let forecast: any;
let resolution: any;

/** Scores by a service that changes each list of etches. An audit looks again at a fault, seconds later. */
async function scoreWith(change: (etches: any[]) => any[], ...more: string[]) {
  const liar = await startChangingService(service.url);
  liar.change = (operation, body) =>
    operation === 'listUserEtches' ? { ...body, etches: change(body.etches) } : body;
  const args = ['score', username, '--trust', service.url, ...more];
  try {
    return await run(args, { env: { SVC_BASE_URL: liar.url } });
  } finally {
    await liar.stop();
  }
}
const changing = (id: string, change: (etch: any) => void) => (etches: any[]) => {
  for (const etch of etches) if (etch.id === id) change(etch);
  return etches;
};

beforeAll(async () => {
  ({ username } = (await json(['whoami'])).user);
  ({ etch: forecast } = await json(['etch', '--forecast', 'yes=0.5', '--description', 'Rain', '--wait']));
  const said = ['--resolve', forecast.id, '--outcome', 'yes', '--source', 'the gauge', '--wait'];
  ({ etch: resolution } = await json(['etch', ...said]));
});

const scoreOf = ({ score }: any) => [score.counts.scored, score.scores.self_resolved.brier.binary.mean];
const hideWords = (etch: any) =>
  Object.assign(etch, { content: null, salt: null, created_at: null, canonical_string: null });

test.concurrent('passes the audit of an honest record', async () => {
  const printed = await jsonOf(scoreWith((etches) => etches, '--json'));
  expect([printed.audit.result, scoreOf(printed)]).toEqual(['pass', [1, 0.25]]);
});

// vectors/invalid/audited-fields.json has the other fields.
test.concurrent.each<[string, () => string, (etch: any) => void, string, [number, number | null]]>([
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
    (etch) =>
      Object.assign(hideWords(etch), {
        status: 'retracted',
        retracted_by: 'operator',
        retraction_reason: 'abuse',
      }),
    'no tombstone',
    [0, null],
  ],
])(
  'fails the audit, and scores no field that it did not check: %s',
  async (_what, id, change, what, score) => {
    const printed = await jsonOf(scoreWith(changing(id(), change), '--json'), 1);
    expect(printed.audit.accounts[0].faults).toMatchObject([{ what, etch_id: id() }]);
    expect([printed.audit.result, scoreOf(printed)]).toEqual(['fail', score]);
  },
);

test.concurrent('fails the audit before the score if the record leaves a forecast out', async () => {
  await ends(
    scoreWith((etches) => etches.filter(({ id }) => id !== forecast.id)),
    1,
    {
      out: /^The audit FAILS: the records have missing or changed etches/,
    },
  );
});

test.concurrent('counts and names an instant etch that is shown as sealed', async () => {
  const what = 'sealed although instant';
  const lie = changing(forecast.id, (etch) => Object.assign(hideWords(etch), { status: 'sealed' }));
  const printed = await jsonOf(scoreWith(lie, '--json'));
  const notice = { username, what, etch_id: forecast.id, hash: forecast.hash };
  expect(printed.audit).toMatchObject({ result: 'pass', notices: [notice], notices_total: 1 });
  await ends(scoreWith(lie), 0, {
    out: [`INFO  1 etch ${what}\n`, `INFO  ${username}: ${what}: etch ${forecast.id} (${forecast.hash})\n`],
  });
});
