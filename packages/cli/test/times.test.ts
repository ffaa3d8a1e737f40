import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuse, startFaultServer, type FaultServer } from '../../../testing/clients/fault-server.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const DAY_MS = 86_400_000;

describe('a future time', () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer();
    server.fates = [refuse(404, 'not_found')];
  });
  afterEach(() => server.close());
  const run = (args: string[]) =>
    svcHere(args, { env: { SVC_BASE_URL: server.url, SVC_API_KEY: 'svc_sk_test' } });

  test.each([
    'etch x --description y --sealed-until',
    'etch x --description y --blind --sealed-until',
    'challenge create x? --closes',
  ])('is read as the service reads it, and nothing else is sent (svc %s)', async (line) => {
    for (const wrong of [
      '2030-02-30T00:00:00Z',
      '2030-01-31T12:00:00',
      '2030-01-31',
      '2030-01-31 12:00:00Z',
      'tomorrow',
      '2030-01-31T12:00Z',
      '2030-01-31T24:00:00Z',
      '2030-01-31T12:00:00+24:00',
      '3x',
    ])
      await ends(run([...line.split(' '), wrong]), 64, {
        out: '',
        err: 'Give a time with its offset',
        where: wrong,
      });
    expect(server.seen).toEqual([]);
  });

  test('must be after both clocks and have a round of the chain, for a blind seal', async () => {
    const blind = ['etch', 'x', '--description', 'y', '--blind', '--sealed-until'];
    for (const [time, said] of [
      ['9999-12-31T00:00:00Z', /sealed_until is beyond the rounds of the drand chain/],
      ['3500-01-01T00:00:00Z', /sealed_until is beyond the rounds of the drand chain/],
      ['2020-01-01T00:00:00Z', /the service’s clock says \S+Z, this machine’s \S+Z/],
      ['999999w', /after the year 9999/],
    ] as const) {
      await ends(run([...blind, time]), 64, { out: '', err: said, where: time });
    }
    expect(server.seen.map(({ method }) => method)).not.toContain('POST');
  });
});

const service = useSharedService();

test('warns of a blind seal for more than two years', async () => {
  const home = freshHome();
  const run = (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
  await run(['register']);
  const blind = ['etch', 'x', '--description', 'y', '--blind', '--sealed-until'];
  await ends(run([...blind, '104w']), 0, { without: 'two years' });
  await ends(run([...blind, '106w']), 0, { err: 'The maintainers of drand advise a shorter time' });
});

describe.each([
  ['a day behind', -DAY_MS],
  ['a day ahead', DAY_MS],
])('with a local clock that is %s', (_, off) => {
  const home = freshHome();
  const run = (args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
  const now = () => performance.timeOrigin + performance.now();
  beforeAll(async () => {
    await ends(run(['register']), 0);
  });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now() + off }));
  afterEach(() => void vi.useRealTimers());

  const isInAnHour = (time: string) => {
    const ahead = Date.parse(time) - now();
    expect(ahead).toBeGreaterThan(3_500_000);
    expect(ahead).toBeLessThan(3_700_000);
  };

  test('durations count from the clock of the service', async () => {
    const etch = ['etch', 'x', '--description', 'y', '--sealed-until', '1h', '--json'];
    isInAnHour((await jsonOf(run(etch))).etch.reveal_at);
    isInAnHour((await jsonOf(run([...etch, '--blind']))).blind.due);
    const asked = ['challenge', 'create', 'How many?', '--closes', '1h', '--json'];
    isInAnHour((await jsonOf(run(asked))).challenge.reveal_at);
  });

  test('an error for it names both times', async () => {
    const both = /This machine’s clock says (\S+Z), the service’s says (\S+Z): set this machine’s clock\./;
    const registered = await ends(run(['register', '--profile', 'other']), 1);
    const [, here, there] = both.exec(registered.err)!;
    expect(Math.abs(Date.parse(here!) - Date.parse(there!) - off)).toBeLessThan(60_000);
    const past = new Date(now() - 60_000).toISOString();
    const sealed = ['etch', 'x', '--description', 'y', '--sealed-until', past];
    expect((await run(sealed)).err).toMatch(both);
    expect((await run([...sealed, '--blind'])).err).toMatch(
      /the service’s clock says \S+Z, this machine’s \S+Z/,
    );
  });
});
