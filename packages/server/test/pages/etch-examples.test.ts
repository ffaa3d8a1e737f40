import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { HTML } from './shared-record.ts';

const service = useService({ chain: true });
const HOUR = 3_600_000;
const MINUTE = 60_000;

test('the verify page chooses its example once a minute, waits for no reveal, and links no retracted etch', async () => {
  const agent = await service.registerAgent();
  const { id } = await service.seal(agent, { reveal_at: service.at(HOUR) });
  await service.anchor();
  const links = async (): Promise<boolean> =>
    (await service.get('/verify', { headers: HTML })).text.includes(`/e/${id}/verify`);
  service.clock.advance(HOUR + MINUTE);
  expect(await links()).toBe(false);
  await service.runTask('reveal');
  await service.runTask('search');
  expect(await links()).toBe(false);
  service.clock.advance(MINUTE);
  expect(await links()).toBe(true);
  expect((await service.get('/verify/how', { headers: HTML })).text).toContain(`/e/${id}/verify`);
  await service.retract(agent, id);
  expect(await links()).toBe(false);
  expect((await service.get('/verify/how', { headers: HTML })).text).not.toContain(`/e/${id}/verify`);
});
