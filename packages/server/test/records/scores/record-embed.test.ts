import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../../../../../testing/service/service.ts';
import { plant, planted } from './plant.ts';

const service = useService();
const known = planted(6, 40);

beforeAll(() => plant(service.db, service.keyring, known));

const get = (path: string) => service.get(path, { headers: { accept: 'text/html' } });
const textOf = (html: string): string =>
  html.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ');

describe('the track record on other sites', () => {
  test.each(['', '.svg'])(
    '/embed/u/account_3%s shows scores with baseline and denominators',
    async (form) => {
      const { body: score } = await service.get('/api/v1/users/account_3/score');
      const { status, text, headers } = await get(`/embed/u/account_3${form}`);
      expect(status).toBe(200);
      const shown = textOf(text);
      const { counts, scores } = score;
      expect(shown).toContain(`${counts.scored} forecasts scored`);
      const { n, mean } = scores.by_others.brier.binary;
      expect(shown).toContain(
        `Average Brier score ${mean.toFixed(2)} over ${n} yes/no forecasts, resolved by others`,
      );
      expect(shown).toContain('always saying 50 % (0.25)');
      const bin = scores.by_others.calibration.find(({ n: count }: { n: number }) => count > 0);
      expect(shown).toContain(`from ${Math.round(bin.from * 100)} %, ${bin.yes} of ${bin.n}`);
      expect(shown).toContain(`${counts.forecasts} forecasts: ${counts.scored} scored`);
      expect(shown).toContain(`${counts.sealed_etches - counts.sealed} sealed`);
      expect(shown).toContain('may be a forecast too.');
      expect(shown).toContain('svc audit account_3');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      if (form === '') expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
      else expect(headers.get('content-type')).toContain('image/svg+xml');
    },
  );

  test('/embed/u/account_3.png is a picture of 1200 by 630 pixels', async () => {
    const answer = await fetch(`${service.baseUrl}/embed/u/account_3.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test('an account without forecasts has no score, and an unknown one returns 404', async () => {
    const agent = await service.registerAgent();
    const { body } = await service.get('/api/v1/me', agent.key);
    const { text } = await get(`/embed/u/${body.user.username}`);
    expect(textOf(text)).toContain('No forecast has a score yet');
    expect(textOf(text)).not.toContain('Average');
    for (const form of ['', '.svg', '.png'])
      expect((await get(`/embed/u/nobody_here${form}`)).status, form).toBe(404);
  });
});
