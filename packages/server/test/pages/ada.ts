import { beforeAll, expect } from 'vitest';
import { newReader, type Reader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

export function useAda() {
  const service = useService({
    settings: { LIMIT_ETCHES_HUMAN: '30', LIMIT_CHALLENGES_PER_DAY: '20', MIN_REVEAL_LEAD_SECONDS: '300' },
  });
  const ada = newReader(() => service.baseUrl);
  beforeAll(() => ada.signIn('ada'));
  return { service, ada };
}

export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);

const topic = { description: 'About the tide', category_id: 'science' };
export const instant = { content: 'The tide turns at six.', ...topic, mode: 'instant' };

/** Etches through the preview, as without scripts. */
export async function write(who: Reader, fields: Record<string, string>): Promise<string> {
  const challenge = fields['challenge_id'];
  const page = await who.open(challenge ? `/write?challenge=${challenge}` : '/write');
  expect(page.status, page.text).toBe(200);
  const preview = await who.send('/write', { ...who.hidden(page), ...fields, step: 'preview' });
  expect(preview.status, preview.text).toBe(200);
  expect(preview.text).toContain('It cannot be edited');
  const done = await who.send('/write', { ...who.hidden(preview), step: 'etch' });
  expect(done.status, done.text).toBe(303);
  return done.location!.slice('/e/'.length);
}
