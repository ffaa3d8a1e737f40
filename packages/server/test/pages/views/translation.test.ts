// Runs without a database.
import { expect, test } from 'vitest';
import { emptyDraft, etch, site, textOf, viewer } from '../../../../../testing/views.ts';
import { keysPage } from '../../../src/http/pages/signed-in/account-keys.tsx';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import { previewEtchPage } from '../../../src/http/pages/signed-in/preview-etch.tsx';

const person = { ...site, viewer };
const words = 'Die Flut kommt um neun.';
const shown = etch({ content: words, canonical_string: `svc:v1|x|${words}` });
const draft = { ...emptyDraft, content: words, description: 'About the tide', mode: 'instant' };

/** The texts that a translator of a browser may change. */
function translatable(html: string): string {
  let rest = html.replace(/<head>.*?<\/head>/s, '');
  for (const tag of ['blockquote', 'p', 'code', 'div'])
    rest = rest.replace(new RegExp(`<${tag}\\b[^>]*translate="no"[^>]*>.*?</${tag}>`, 'gs'), '');
  return textOf(rest);
}

test.each([
  ['an etch', etchPage(site, shown).html],
  ['a preview', previewEtchPage(person, { draft, revealAt: null, remaining: 1 }).html],
  [
    'keys',
    keysPage(person, { keys: [], made: { name: 'laptop', scope: 'read', value: 'svc_live_0123' } }).html,
  ],
])('a translator leaves committed words, hashes and keys unchanged: %s', (_, html) => {
  expect(textOf(html)).toMatch(/Die Flut|svc_live/);
  expect(translatable(html)).not.toMatch(/Die Flut|svc_live|svc:v1|[0-9a-f]{16}/);
});
