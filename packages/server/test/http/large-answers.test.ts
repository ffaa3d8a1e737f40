// Runs without a database.
import { accountPage } from '../../src/http/pages/account.tsx';
import type { Page } from '@svc/web/site';
import fc from 'fast-check';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import type { EtchRow } from '../../src/etches/row.ts';
import { etchView, etchViews, type ViewContext } from '../../src/etches/view.ts';
import { etagInPieces, etagOf } from '../../src/http/representation.ts';
import { jsonInPieces, sendInPieces, textInPieces } from '../../src/http/large-answers.ts';
import { drawCards } from '../../src/http/pages/page-data.ts';
import { etchMarkdown, recordMarkdown } from '../../src/records/record-markdown.ts';
import { during } from '../../../../testing/turns.ts';
import { site, user } from '../../../../testing/views.ts';

// Counts event-loop turns during a large answer, because times depend on the machine.

const context = { baseUrl: 'https://etch.example', officialAccounts: new Set() } as unknown as ViewContext;
const NOW = Date.parse('2026-03-04T05:06:07.089Z');

/** The page escapes every character for people. */
const rows = (most = 100, text = '\u200d'.repeat(2_000)): EtchRow[] =>
  Array.from({ length: most }, (_, index) => row(String(index).padStart(12, '0'), text));

const ID = '1b671a64-40d5-491e-99b0';
const NULLS = `challenge_id challenge_question reveal_at revealed_at retracted_at taken_down sealed signature
  signature_key social_handle social_verified_at agent_domain operator_id failing_since commitment tombstone`;
const row = (end: string, content: string): EtchRow => ({
  ...(Object.fromEntries(NULLS.split(/\s+/).map((name) => [name, null])) as unknown as EtchRow),
  id: `${ID}-${end}`,
  user_id: `${ID}-da01ff1f3341`,
  code: 'abcdef',
  username: 'ada',
  kind: 'human',
  mode: 'instant',
  status: 'revealed',
  hash: Buffer.alloc(32, 1),
  description: 'x',
  category_id: 'ai',
  created_at: '2026-03-04T05:06:07.000Z',
  content,
  salt: Buffer.alloc(32, 2),
  display_name: 'Ada',
});

const counts = { total: 100, active: 100, revealed: 100, retracted: 0, sealed_pending_reveal: 0 };
const accountOf = (etches: ReturnType<typeof etchView>[]): Page =>
  accountPage(
    site,
    { user, counts, etches, page: { limit: 100, has_more: false, next_cursor: null } },
    { days: [], isFirst: true, following: undefined },
  );

test('builds a page of the longest texts over many turns, in every format', async () => {
  const viewed = await during(() => etchViews(rows(), NOW, context));
  expect(viewed.made).toEqual(rows().map((one) => etchView(one, NOW, context)));
  expect(viewed.turns).toBeGreaterThanOrEqual(2);

  const json = await during(() => jsonInPieces({ etches: viewed.made }));
  expect(json.made.toString()).toBe(JSON.stringify({ etches: viewed.made }));
  expect(json.turns).toBeGreaterThanOrEqual(3);
  expect(await etagInPieces(json.made)).toBe(etagOf(json.made));

  const written = await during(() =>
    recordMarkdown(
      { user, counts, etches: viewed.made, next: undefined },
      { baseUrl: '', isFirst: true, nextUrl: null, drand: undefined },
    ),
  );
  expect(written.turns).toBeGreaterThanOrEqual(30);
  expect(written.made).toContain(viewed.made.map((etch) => etchMarkdown(etch, undefined)).join('\n\n'));

  const page = accountOf(viewed.made).html;
  const drawn = await during(() => drawCards(viewed.made, site, { showAuthor: false }));
  expect(drawn.turns).toBeGreaterThanOrEqual(30);
  const encoded = await during(async () => textInPieces(accountOf(drawn.made).html));
  expect(String(encoded.made) === page).toBe(true);
  expect(encoded.turns).toBeGreaterThanOrEqual(30);
});

test('builds a small answer in one turn', async () => {
  const few = await during(() => etchViews(rows(30, 'a text as most are'), NOW, context));
  expect(few.turns).toBe(0);
  const answer = { etches: few.made };
  expect(sendInPieces({} as never, answer)).toBe(answer);
  expect(textInPieces('short')).toEqual(Buffer.from('short'));
  expect((await during(() => drawCards(few.made, site))).turns).toBe(0);
});

test('sends large answers with the bytes and headers of small ones', async () => {
  const large = {
    etches: rows(3, 'ä"\\\u{1f30a}'.repeat(20_000)),
    none: undefined,
    text: '\u{1f30a}'.repeat(70_000),
  };
  const app = fastify();
  app.get('/whole', () => large);
  app.get('/pieces', (_, reply) => sendInPieces(reply, large));
  const [whole, pieces] = [await app.inject('/whole'), await app.inject('/pieces')];
  expect(pieces.body).toBe(whole.body);
  for (const name of ['content-type', 'content-length'])
    expect(pieces.headers[name]).toBe(whole.headers[name]);
  await app.close();
  const text = await textInPieces(`x${large.text}`);
  expect(text.toString()).toBe(`x${large.text}`);
});

test('builds the same JSON in pieces as at once', async () => {
  const piece = fc.string({ unit: 'binary', maxLength: 6 });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, undefined, true, 1.5, ''),
      piece,
      piece.map((text) => `${text}.`.repeat(25_000)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(piece, tie('value'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (inside) => {
      const answer = { inside, list: [inside, undefined, 'x'] };
      expect((await jsonInPieces(answer)).equals(Buffer.from(JSON.stringify(answer)))).toBe(true);
    }),
    { numRuns: 25 },
  );
});
