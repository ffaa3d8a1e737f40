import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { useLosingProxy } from '../../../testing/clients/losing-proxy.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useStdio } from './support/stdio.ts';
import { text } from './support/tools.ts';

const proxy = useLosingProxy(useSharedService());
const { connectHere, newAccount } = useStdio(proxy);
afterEach(() => void vi.useRealTimers());

test('creates a blind seal once when a lost call is retried with its key', async () => {
  const home = newFolder('config');
  const { call, refusal } = await connectHere({ ...(await newAccount()), XDG_CONFIG_HOME: home });
  const kept = () => (existsSync(join(home, 'svc/blind')) ? readdirSync(join(home, 'svc/blind')) : []);
  const seal = { ...text, reveal_at: new Date(Date.now() + 3_600_000).toISOString() };
  proxy.loses = 'POST';
  const { code, idempotency_key } = await refusal('seal_blind', seal);
  proxy.loses = undefined;
  expect(code).toBe('no_answer');
  expect(kept()).toHaveLength(1);

  const other = await refusal('seal_blind', { ...seal, content: 'Another text.', idempotency_key });
  expect(other).toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('with a different text'),
  });
  for (const _ of ['now', 'later']) {
    const again = await call('seal_blind', { ...seal, idempotency_key });
    expect(again).toMatchObject({ replayed: true, etch: { untrusted: { content: null } } });
  }
  expect(new Set(proxy.posted.filter((body) => body.includes('svc-tlock'))).size).toBe(1);
});

test('parses times like the service, and warns of a late one', async () => {
  const { call, refusal } = await connectHere(await newAccount());
  proxy.posted = [];
  for (const reveal_at of ['2030-02-30T00:00:00Z', '2030-01-31T12:00:00', '2030-01-31T12:00Z', '2030-01-31'])
    for (const tool of ['seal', 'seal_blind'])
      expect(await refusal(tool, { ...text, reveal_at }), reveal_at).toEqual({
        code: 'bad_input',
        message: 'reveal_at: give RFC 3339 with Z or an offset: 2030-01-31T12:00:00Z',
      });
  expect(await refusal('seal_blind', { ...text, reveal_at: '9999-12-31T00:00:00Z' })).toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('beyond the rounds of the drand chain') as string,
  });
  expect(proxy.posted).toEqual([]);
  const { horizon_warning } = await call('seal_blind', { ...text, reveal_at: '2099-01-01T00:00:00Z' });
  expect(horizon_warning).toContain('drand advise a shorter time');
});

test('an error names both clocks when the local clock is wrong', async () => {
  const { refusal } = await connectHere();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  expect((await refusal('register')).clock).toMatch(
    /^This machine’s clock says \S+Z, the service’s says \S+Z/,
  );
});
