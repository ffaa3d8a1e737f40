import type { BlindBody, Client } from '@svc/sdk';
import { expect, test } from 'vitest';
import { freshHome } from '../../../testing/clients/svc.ts';
import { etchBlindOnce } from '../src/etch-blind-once.ts';

test('a retry of a blind seal is rejected when any input differs', async () => {
  const lost = new Error('the answer was lost');
  const client = {
    origin: 'https://service.test',
    etchBlind(_body: BlindBody, { onSealed }: { onSealed: (words: string) => void }) {
      onSealed('svc-tlock:v1|…');
      throw lost;
    },
  } as unknown as Client;
  const place = { env: { XDG_CONFIG_HOME: freshHome() }, profileName: 'default', isGivenKey: true };
  const body = { content: 'Rain.', description: 'Weather', category_id: 'science' } as const;
  const etch = (more: object) =>
    etchBlindOnce(
      client,
      { ...body, sealed_until: '2099-01-01T00:00:00Z', ...more },
      { idempotencyKey: 'k' },
      place,
    );
  await expect(etch({ mood: 'calm' })).rejects.toBe(lost);
  await expect(etch({ mood: 'calm', sealed_until: '2099-01-01T01:00:00+01:00' })).rejects.toBe(lost);
  for (const more of [{}, { mood: 'tense' }])
    await expect(etch(more)).rejects.toThrow('belongs to a request with a different --mood,');
});
