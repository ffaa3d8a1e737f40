import { expect, test } from 'vitest';
import { previewEtchPage } from '../src/index.ts';
import { site } from './views.ts';

const preview = (description: string) =>
  previewEtchPage(
    { ...site, viewer: { username: 'ada', displayName: 'Ada' } },
    {
      draft: {
        draft: 'd',
        content: 'The heron left the weir at dawn.',
        forecast: '',
        description,
        category_id: 'science',
        mode: 'instant',
        reveal_at: '',
      },
      topic: 'Science',
      revealAt: null,
      remaining: 1,
    },
  ).html;

test('the preview tells what a description gives away of the text', () => {
  expect(preview('why the HERON, left <the> pond')).toMatch(
    /gives “<bdi>the heron left the<\/bdi>” of the text away/,
  );
  expect(preview('About the heron at the weir')).not.toContain('of the text away');
});
