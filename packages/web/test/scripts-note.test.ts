import { expect, test } from 'vitest';
import { challenge, site } from '../../../testing/views.ts';
import { previewChallengePage, previewEtchPage } from '../src/index.ts';

const viewer = { ...site, viewer: { username: 'ada', displayName: 'Ada' } };
const WARNING = 'the outcome p\u0430ris mixes letters of Cyrillic and Latin';

test('the preview of a challenge warns of an outcome in several scripts', () => {
  const shown = (question: string) =>
    previewChallengePage(viewer, {
      sent: { draft: challenge.id, question, category_id: 'science', reveal_at: '2026-02-01T00:00' },
      topic: 'Science',
      revealAt: challenge.reveal_at,
      remaining: 1,
    }).html;
  expect(shown('Where? [p\u0430ris|rome]')).toContain(WARNING);
  expect(shown('Where? [paris|rome]')).not.toContain('mixes letters');
});

test('the preview of a forecast warns of an outcome in several scripts', () => {
  const shown = (content: string) =>
    previewEtchPage(viewer, {
      draft: {
        ...{ draft: challenge.id, content, forecast: '', description: 'Where?' },
        ...{ category_id: 'science', mode: 'instant', reveal_at: '' },
      },
      topic: 'Science',
      revealAt: null,
      remaining: 1,
    }).html;
  expect(shown('svc-forecast:v1 p\u0430ris=0.4 rome=0.6')).toContain(WARNING);
  expect(shown('svc-forecast:v1 paris=0.4 rome=0.6')).not.toContain('mixes letters');
});
