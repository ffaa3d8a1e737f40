import { afterAll, expect, it } from 'vitest';
import { type Card, cardVersion } from '@svc/web/cards/card';
import { useService } from '../../../../testing/service/service.ts';
import { createPictures, type Pictures } from '../../src/http/pages/pictures.ts';
import { HTML, meta, useSharedRecord } from './shared-record.ts';

const given: Card[] = [];
const drawn = createPictures({ warn() {} });
const pictures: Pictures = {
  known: (card) => drawn.known(card),
  draw: (card, who) => (given.push(card), drawn.draw(card, who)),
  close: () => drawn.close(),
};
const service = useService({
  parts: { test: { pictures } },
  settings: { TEST_LIMIT_CARDS_PER_MINUTE: '200' },
});

const shared = useSharedRecord(service);

const bytes = async (path: string) => {
  const response = await fetch(service.baseUrl + path, { redirect: 'manual' });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
};
async function expectPicture(path: string) {
  const { response, body } = await bytes(path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(body.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
}

afterAll(() => drawn.close());

it('preview pictures are linked from each page and show nothing hidden', async () => {
  for (const page of shared.pages()) {
    const { text } = await shared.get(page);
    const path = await shared.imageOf(page);
    expect(path, page).toMatch(new RegExp(`^${page}/card-[0-9a-f]{16}\\.png$`));
    expect(meta(text, 'twitter:card')).toBe('summary_large_image');
    expect(meta(text, 'og:image:alt')).toBeTruthy();
    await expectPicture(path);
  }
  expect(given.length).toBeGreaterThanOrEqual(6);
  shared.expectNothingHidden(JSON.stringify(given), 'what the renderer was given');
  expect(given.map(({ words }) => words).filter((words) => words !== null)).toEqual(['The tide turns.']);
});

it('preview pictures are drawn once and revalidated by version', async () => {
  const path = await shared.imageOf(`/e/${shared.etches.open.id}`);
  const headers = { 'if-none-match': `"${path.slice(-20, -4)}"` };
  expect((await fetch(service.baseUrl + path, { headers })).status).toBe(304);
  const before = given.length;
  await expectPicture(path);
  expect(given.length).toBe(before);
});

it('preview pictures have a different URL for a different state; older URLs redirect to it', async () => {
  const reveal_at = service.at(400_000);
  const etch = await service.seal(shared.author, { content: 'Soon open.', reveal_at });
  const page = `/e/${etch.id}`;
  const sealed = await shared.imageOf(page);
  service.clock.advance(400_000);
  const open = await shared.imageOf(page);
  expect(open).not.toBe(sealed);
  const expectMoved = async (from: string, to: string) => {
    const { response } = await bytes(from);
    expect([response.status, response.headers.get('location')]).toEqual([302, service.baseUrl + to]);
    await expectPicture(to);
  };
  await expectMoved(sealed, open);
  expect(given.at(-1)!.words).toBe('Soon open.');
  await service.retract(shared.author, etch.id);
  await expectMoved(open, await shared.imageOf(page));
  expect(given.at(-1)!.words).toBeNull();
  service.clock.release();
});

it('preview pictures return 404 for an unknown subject', async () => {
  const { userId } = shared.author;
  for (const page of [`/e/${userId}`, '/e/zzzzzz', `/ch/${userId}`, '/u/nobody_here'])
    expect((await shared.get(`${page}/card-${'0'.repeat(16)}.png`)).status, page).toBe(404);
});

it('preview pictures are drawn from hostile texts as from others', async () => {
  const texts = [
    '<script>alert(1)</script></text><image href="http://192.0.2.1/x.png"/>',
    '\u202e\u2066reversed\u2069 \u001b[31m \ufffe',
    '😀'.repeat(2_000),
    'שלום עולם مرحبا بالعالم '.repeat(80),
    'हिन्दी ไทย தமிழ் 한국어 አማርኛ '.repeat(40),
  ];
  for (const content of texts) {
    const description = [...content].slice(0, 140).join('');
    const etch = await service.etch(shared.author, { content, description });
    await expectPicture(await shared.imageOf(`/e/${etch.id}`));
  }
  expect(JSON.stringify(given)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\\u001b/);
});

const empty = { state: '', by: '', facts: '', sentences: '', address: '', devnet: false };
const card = (title: string): Card => ({ ...empty, words: null, absent: null, tone: 'plain', title });

it('drawing is done once for all concurrent requests', async () => {
  const own = createPictures({ warn() {} });
  try {
    const all = await Promise.all(Array.from({ length: 100 }, () => own.draw(card('the same'), 'ada')));
    expect(new Set(all).size).toBe(1);
    expect(own.known(card('the same'))).toBe(all[0]);
    expect(cardVersion(card('a'))).not.toBe(cardVersion(card('b')));
  } finally {
    await own.close();
  }
});

it('drawing is rejected when too many wait, and ends with the service', async () => {
  const own = createPictures({ warn() {} });
  let refused = 0;
  const asked = Array.from({ length: 40 }, (_, index) =>
    own.draw(card(`picture ${index}`), 'ada').catch((error: unknown) => (refused++, error)),
  );
  await expect.poll(() => refused).toBe(8);
  await own.close();
  for (const at of [-9, -1]) expect(await asked.at(at)).toMatchObject({ code: 'service_unavailable' });
});

const metered = useService({ settings: { TEST_LIMIT_CARDS_PER_MINUTE: '1' } });
it('drawings for one address are limited; cached pictures are free', async () => {
  const agent = await metered.registerAgent();
  const pictureOf = async ({ id }: { id: string }) =>
    meta((await metered.get(`/e/${id}`, { headers: HTML })).text, 'og:image')!;
  const [first, second] = [
    await pictureOf(await metered.etch(agent)),
    await pictureOf(await metered.etch(agent)),
  ];
  for (let time = 0; time < 2; time++) expect((await fetch(first)).status).toBe(200);
  const refused = await fetch(second);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBeTruthy();
});

it('calendars contain an opening and a closing, by id and by code, and nothing hidden', async () => {
  const { sealed, open } = shared.etches;
  for (const [path, says] of [
    [`/e/${sealed.id}/calendar.ics`, `UID:${sealed.id}@`],
    [`/e/${sealed.code}/calendar.ics`, `UID:${sealed.id}@`],
    [`/ch/${shared.challenge.code}/calendar.ics`, `UID:${shared.challenge.id}@`],
  ] as const) {
    const { status, headers, text } = await shared.get(path);
    expect([status, headers.get('content-type')], path).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toContain(says);
    shared.expectNothingHidden(text, path);
  }
  expect((await shared.get(`/e/${sealed.id}`)).text).toContain(`href="/e/${sealed.id}/calendar.ics"`);
  expect((await shared.get(`/e/${open.id}/calendar.ics`)).status).toBe(404);
});
