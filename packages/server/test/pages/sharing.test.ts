import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Card, cardVersion } from '@svc/web';
import { SaxesParser } from 'saxes';
import { createPictures, type Pictures } from '../../src/http/pages/pictures.ts';
import { type Answer, type TestAgent, useService } from '../../../../testing/service/service.ts';

const CANARY = 'the-canary-is-not-for-sharing';
const ERASED = 'these-words-were-shared-and-erased';
const HTML = { accept: 'text/html' };

/** Everything that was given to the renderer. */
const given: Card[] = [];
const drawn = createPictures({ warn() {} });
const pictures: Pictures = {
  known: (card) => drawn.known(card),
  draw: (card) => (given.push(card), drawn.draw(card)),
  close: () => drawn.close(),
};
const service = useService({ parts: { pictures }, settings: { LIMIT_CARDS_PER_MINUTE: '200' } });

let author: TestAgent;
let etches: Record<'open' | 'sealed' | 'answer' | 'retracted', any>;
let challenge: any;
let hiddenTimes: string[];

const get = (path: string, headers: Record<string, string> = HTML): Promise<Answer> =>
  service.call('GET', path, undefined, { headers });
const meta = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];
const imageOf = async (path: string): Promise<string> =>
  meta((await get(path)).text, 'og:image')!.replace(service.baseUrl, '');
const bytes = async (path: string) => {
  const response = await fetch(service.baseUrl + path, { redirect: 'manual' });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
};

beforeAll(async () => {
  author = await service.registerAgent({ displayName: 'Tide & <Watcher>' });
  const reveal = new Date(service.clock.now() + 3_600_000).toISOString();
  const open = await service.etch(author, { description: 'A tide with <i>"markup"</i> & more' });
  const sealed = await service.etch(author, { content: CANARY, mode: 'delayed', reveal_at: reveal });
  const retracted = await service.etch(author, { content: ERASED });
  await service.call('POST', `/api/v1/etches/${retracted.id}/retract`, undefined, { key: author.key });
  const asked = { question: 'Which day brings frost?', category_id: 'science', reveal_at: reveal };
  challenge = (await service.call('POST', '/api/v1/challenges', asked, { key: author.key })).body.challenge;
  const answer = await service.etch(author, {
    content: CANARY,
    mode: 'delayed',
    challenge_id: challenge.id,
  });
  challenge = (await service.call('GET', `/api/v1/challenges/${challenge.id}`)).body.challenge;
  etches = { open, sealed, answer, retracted };
  const rows = await service.db.query<{ created_at: string }>({
    text: 'select created_at from etch where id = any($1::uuid[])',
    values: [[sealed.id, answer.id, retracted.id]],
  } as never);
  hiddenTimes = rows.map((row) => row.created_at);
  expect(hiddenTimes).toHaveLength(3);
});
afterAll(() => drawn.close());

/** Neither what is sealed, nor what was erased, nor when it was written. */
function expectNothingHidden(text: string, where: string): void {
  expect(text, where).not.toContain(CANARY);
  expect(text, where).not.toContain(ERASED);
  for (const time of hiddenTimes) {
    expect(text, where).not.toContain(time);
    expect(text, where).not.toContain(time.slice(11, 23));
  }
}

const sharedPages = (): string[] => [
  ...Object.values(etches).map(({ id }) => `/e/${id}`),
  `/ch/${challenge.id}`,
  `/u/${author.username}`,
];

describe('preview pictures', () => {
  it('are named by each page, and drawn of nothing that is hidden', async () => {
    for (const page of sharedPages()) {
      const { text } = await get(page);
      const path = await imageOf(page);
      expect(path, page).toMatch(new RegExp(`^${page}/card-[0-9a-f]{16}\\.png$`));
      expect(meta(text, 'twitter:card')).toBe('summary_large_image');
      expect(meta(text, 'og:image:alt')).toBeTruthy();
      const { response, body } = await bytes(path);
      expect(response.status, page).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(body.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
      expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
    }
    expect(given.length).toBeGreaterThanOrEqual(6);
    expectNothingHidden(JSON.stringify(given), 'what the renderer was given');
    expect(given.map(({ words }) => words).filter((words) => words !== null)).toEqual(['The tide turns.']);
  });

  it('are sent once: the same version is known, and drawn once for many who ask', async () => {
    const path = await imageOf(`/e/${etches.open.id}`);
    const version = path.slice(-20, -4);
    const again = await fetch(service.baseUrl + path, { headers: { 'if-none-match': `"${version}"` } });
    expect(again.status).toBe(304);
    const before = given.length;
    expect((await bytes(path)).response.status).toBe(200);
    expect(given.length).toBe(before);
  });

  it('of another state are at another url, to which older ones lead', async () => {
    const reveal = new Date(service.clock.now() + 400_000).toISOString();
    const etch = await service.etch(author, { content: 'Soon open.', mode: 'delayed', reveal_at: reveal });
    const page = `/e/${etch.id}`;
    const sealed = await imageOf(page);
    service.clock.advance(400_000);
    const open = await imageOf(page);
    expect(open).not.toBe(sealed);
    const { response } = await bytes(sealed);
    expect([response.status, response.headers.get('location')]).toEqual([302, service.baseUrl + open]);
    expect((await bytes(open)).response.status).toBe(200);
    expect(given.at(-1)!.words).toBe('Soon open.');
    await service.call('POST', `/api/v1/etches/${etch.id}/retract`, undefined, { key: author.key });
    const gone = await imageOf(page);
    // The picture that showed the words is not to be had any more.
    const old = await bytes(open);
    expect([old.response.status, old.response.headers.get('location')]).toEqual([
      302,
      service.baseUrl + gone,
    ]);
    await bytes(gone);
    expect(given.at(-1)!.words).toBeNull();
    service.clock.release();
  });

  it.each(['/card-0.png', '/card-.png', `/card-${'g'.repeat(16)}.png`, `/card-${'0'.repeat(16)}.jpg`])(
    'are nowhere else: %s',
    async (ending) => {
      expect((await get(`/e/${etches.open.id}${ending}`)).status).toBe(404);
    },
  );

  it('of nothing are 404', async () => {
    for (const page of [`/e/${author.userId}`, '/e/zzzzzz', `/ch/${author.userId}`, '/u/nobody_here'])
      expect((await get(`${page}/card-${'0'.repeat(16)}.png`)).status, page).toBe(404);
  });

  it('of hostile texts are pictures like all others', async () => {
    const texts = [
      '<script>alert(1)</script></text><image href="http://192.0.2.1/x.png"/>',
      '# heading\n```\n![x](http://192.0.2.1)',
      '\u202e\u2066reversed\u2069 \u001b[31m \ufffe',
      '😀'.repeat(2_000),
      '👩‍👩‍👧‍👦🇫🇷❤️'.repeat(100),
      'x'.repeat(2_000),
      'Z\u0301\u0302\u0323'.repeat(400),
      'שלום עולם مرحبا بالعالم '.repeat(80),
      '潮が満ちる。春眠不觉晓'.repeat(150),
      'हिन्दी ไทย தமிழ் 한국어 አማርኛ '.repeat(40),
    ];
    for (const content of texts) {
      const description = [...content].slice(0, 140).join('');
      const etch = await service.etch(author, { content, description });
      const { response, body } = await bytes(await imageOf(`/e/${etch.id}`));
      expect(response.status, description).toBe(200);
      expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
    }
    expect(JSON.stringify(given)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\\u001b/);
  });
});

describe('drawing', () => {
  const card = (title: string): Card => ({
    tone: 'plain',
    state: '',
    title,
    words: null,
    absent: null,
    by: '',
    facts: '',
    address: '',
    devnet: false,
  });

  it('is done once for all who wait for the same', async () => {
    const own = createPictures({ warn() {} });
    try {
      const all = await Promise.all(Array.from({ length: 100 }, () => own.draw(card('the same'))));
      expect(new Set(all).size).toBe(1);
      expect(own.known(card('the same'))).toBe(all[0]);
      expect(cardVersion(card('a'))).not.toBe(cardVersion(card('b')));
    } finally {
      await own.close();
    }
  });

  it('is refused when too many wait, and goes on afterwards', async () => {
    const own = createPictures({ warn() {} });
    try {
      const asked = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) => own.draw(card(`picture ${index}`))),
      );
      const refused = asked.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(8);
      expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'service_unavailable' });
      expect((await own.draw(card('afterwards'))).length).toBeGreaterThan(1_000);
    } finally {
      await own.close();
    }
  });

  it('that is under way ends with the service', async () => {
    const own = createPictures({ warn() {} });
    const asked = own.draw(card('too late'));
    const outcome = expect(asked).rejects.toMatchObject({ code: 'service_unavailable' });
    await own.close();
    await outcome;
  });
});

describe('drawing for one address', () => {
  const metered = useService({ settings: { LIMIT_CARDS_PER_MINUTE: '1' } });
  it('is metered, what was drawn already is not', async () => {
    const agent = await metered.registerAgent();
    const pages = await Promise.all([1, 2].map(async () => `/e/${(await metered.etch(agent)).id}`));
    const [first, second] = await Promise.all(
      pages.map(async (page) =>
        meta((await metered.call('GET', page, undefined, { headers: HTML })).text, 'og:image')!,
      ),
    );
    expect((await fetch(first!)).status).toBe(200);
    expect((await fetch(first!)).status).toBe(200);
    const refused = await fetch(second!);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeTruthy();
  });
});

describe('oEmbed', () => {
  const ask = (url: string, more = ''): Promise<Answer> =>
    get(`/oembed?url=${encodeURIComponent(url)}${more}`, {});

  it('is found from each page, and answers for it', async () => {
    for (const page of sharedPages()) {
      const { text } = await get(page);
      const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)" title="[^"]*"/
        .exec(text)![1]!
        .replaceAll('&amp;', '&');
      const { status, headers, body, text: answered } = await get(href.replace(service.baseUrl, ''), {});
      expect(status, page).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(body).toMatchObject({
        version: '1.0',
        type: page.startsWith('/e/') ? 'rich' : 'link',
        author_url: `${service.baseUrl}/u/${author.username}`,
        provider_url: service.baseUrl,
        thumbnail_width: 1200,
        thumbnail_height: 630,
      });
      expect(body.thumbnail_url).toBe(meta(text, 'og:image'));
      expectNothingHidden(answered, page);
    }
  });

  it('takes every address of an etch, and gives a frame that fits', async () => {
    const { id, code, url } = etches.open;
    for (const address of [
      url,
      `${service.baseUrl}/e/${code}`,
      `${url}/verify`,
      `${url}?from=here`,
      `${url}.md`,
    ]) {
      const { status, body } = await ask(address);
      expect(status, address).toBe(200);
      expect(body.html).toContain(`<iframe src="${service.baseUrl}/e/${id}/embed"`);
      expect(body.html).toContain('title="A tide with &lt;i&gt;&quot;markup&quot;&lt;/i&gt; &amp; more"');
    }
    const { body } = await ask(url, '&maxwidth=320&maxheight=200&format=json');
    expect(body).toMatchObject({ width: 320, height: 200 });
    expect(body.html).toContain('width="320" height="200"');
    // A picture that is larger than asked for is left out, all three fields of it.
    expect(Object.keys(body).filter((name) => name.startsWith('thumbnail'))).toEqual([]);
  });

  it.each([
    ['', 400],
    ['?url=', 400],
    ['?url=not-a-url', 404],
    ['?url=http%3A%2F%2Fexample.org%2Fe%2Fabc234', 404],
    ['?url=BASE%2Fsearch', 404],
    ['?url=BASE%2Fe%2Fzzzzzz', 404],
    ['?url=BASE%2Fu%2F%25ff', 404],
    ['?url=BASE%2Fe%2Fa&url=BASE%2Fe%2Fb', 400],
    ['?url=BASE%2Fe%2Fabc234&maxwidth=0', 400],
    ['?url=BASE%2Fe%2Fabc234&maxheight=wide', 400],
    ['?url=BASE%2Fe%2Fabc234&format=xml', 501],
  ])('answers %s with %i, in the envelope', async (query, expected) => {
    const { status, body } = await get(
      `/oembed${query.replaceAll('BASE', encodeURIComponent(service.baseUrl))}`,
      {},
    );
    expect(status).toBe(expected);
    expect(body.error.message).toBeTruthy();
  });
});

describe('an embed', () => {
  it('may be framed by anybody and can do nothing; other pages may not be framed', async () => {
    for (const { id } of Object.values(etches)) {
      const { status, headers, text } = await get(`/e/${id}/embed`);
      expect(status).toBe(200);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain('frame-ancestors *');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|connect-src/);
      expect(headers.get('x-frame-options')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(text).not.toMatch(/<script|\ssrc=|<link(?! rel="canonical")/);
      expectNothingHidden(text, id);
    }
    for (const page of [...sharedPages(), '/', `/e/${etches.open.id}/verify`])
      expect((await get(page)).headers.get('content-security-policy'), page).toContain(
        "frame-ancestors 'none'",
      );
  });

  it('shows a retraction at once', async () => {
    const etch = await service.etch(author, { content: 'Shown elsewhere.' });
    expect((await get(`/e/${etch.id}/embed`)).text).toContain('Shown elsewhere.');
    await service.call('POST', `/api/v1/etches/${etch.id}/retract`, undefined, { key: author.key });
    const { text } = await get(`/e/${etch.id}/embed`);
    expect(text).not.toContain('Shown elsewhere.');
    expect(text).toContain('The words were erased by their author.');
  });

  it('of an unknown etch is a 404 that cannot be framed', async () => {
    const { status, headers } = await get('/e/zzzzzz/embed');
    expect(status).toBe(404);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('QR codes', () => {
  it('are pictures of the short address', async () => {
    for (const path of [
      `/e/${etches.open.id}/qr.svg`,
      `/e/${etches.open.code}/qr.svg`,
      `/ch/${challenge.code}/qr.svg`,
    ]) {
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type')], path).toEqual([200, 'image/svg+xml']);
      expect(text).toMatch(/^<svg /);
      expect(text).not.toContain('<script');
    }
    const [byId, byCode] = await Promise.all(
      [etches.open.id, etches.open.code].map(async (name) => (await get(`/e/${name}/qr.svg`)).text),
    );
    expect(byId).toBe(byCode);
    expect((await get('/e/zzzzzz/qr.svg')).status).toBe(404);
  });
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** By a parser that refuses what is not well-formed. */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const path = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, uri, attributes }) => {
    expect(uri).toBe('http://www.w3.org/2005/Atom');
    const element: Element = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
      children: [],
      text: '',
    };
    path.at(-1)!.children.push(element);
    path.push(element);
  });
  parser.on('text', (text) => (path.at(-1)!.text += text));
  parser.on('closetag', () => path.pop());
  parser.write(xml).close();
  return root.children[0]!;
}
const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);
const textIn = (element: Element, name: string): string => childrenOf(element, name)[0]!.text;

describe('the feed of an account', () => {
  const read = async (path: string) => {
    const answer = await get(path, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    return { feed: parseXml(answer.text), ...answer };
  };

  it('is well-formed Atom with all that Atom asks for, found from the page', async () => {
    const page = await get(`/u/${author.username}`);
    expect(page.text).toContain(`type="application/atom+xml" href="/u/${author.username}/feed.atom"`);
    const { feed, headers } = await read(`/u/${author.username}/feed.atom`);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(feed.name).toBe('feed');
    for (const name of ['id', 'title', 'updated']) expect(childrenOf(feed, name), name).toHaveLength(1);
    expect(textIn(feed, 'title')).toBe(`Tide & <Watcher> (@${author.username})`);
    expect(textIn(childrenOf(feed, 'author')[0]!, 'name')).toBe('Tide & <Watcher>');
    const entries = childrenOf(feed, 'entry');
    expect(entries.length).toBeGreaterThanOrEqual(4);
    for (const entry of entries) {
      for (const name of ['id', 'title', 'updated', 'published', 'summary', 'link'])
        expect(childrenOf(entry, name), name).toHaveLength(1);
      expect(textIn(entry, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      for (const name of ['updated', 'published'])
        expect(textIn(entry, name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(new Set(entries.map((entry) => textIn(entry, 'id'))).size).toBe(entries.length);
  });

  it('tells of sealed etches the day alone, and of retracted ones that they are', async () => {
    const { feed, text } = await read(`/u/${author.username}/feed.atom`);
    expectNothingHidden(text, 'the feed');
    const entryOf = ({ id }: { id: string }): Element =>
      childrenOf(feed, 'entry').find((entry) => textIn(entry, 'id') === `urn:uuid:${id}`)!;
    const sealed = entryOf(etches.sealed);
    expect(textIn(sealed, 'title')).toMatch(/^Sealed until \d{1,2} \w+ \d{4}, \d\d:\d\d UTC$/);
    expect(textIn(sealed, 'summary')).toMatch(/^Written \d{1,2} \w+ \d{4}\.$/);
    expect(JSON.stringify(sealed)).not.toContain('About the tide');
    expect(childrenOf(sealed, 'category')).toHaveLength(0);
    for (const name of ['updated', 'published'])
      expect(textIn(sealed, name)).toBe(`${etches.sealed.created_on}T00:00:00.000Z`);
    expect(childrenOf(sealed, 'content')).toHaveLength(0);
    const retracted = entryOf(etches.retracted);
    expect(textIn(retracted, 'title')).toBe('Retracted: About the tide');
    expect(textIn(retracted, 'published')).toBe(`${etches.retracted.created_on}T00:00:00.000Z`);
    expect(textIn(entryOf(etches.open), 'content')).toBe('The tide turns.');
  });

  it('stays well-formed whatever is written, and goes on by cursor', async () => {
    const agent = await service.registerAgent({ displayName: ']]> & "quotes"' });
    const texts = ['</content></entry>', ']]>', '\ufffe\uffff\u0001', '&lt;&#0;', '\u202e😀'];
    for (const content of texts) await service.etch(agent, { content, description: content });
    for (let count = 0; count < 27; count++) await service.etch(agent, { description: `etch ${count}` });
    const first = (await read(`/u/${agent.username}/feed.atom`)).feed;
    const next = childrenOf(first, 'link').find(({ attributes }) => attributes['rel'] === 'next')!;
    const { feed } = await read(next.attributes['href']!.replace(service.baseUrl, ''));
    const entries = [...childrenOf(first, 'entry'), ...childrenOf(feed, 'entry')];
    expect(entries).toHaveLength(32);
    const written = entries.flatMap((entry) => childrenOf(entry, 'content').map(({ text }) => text));
    expect(written).toContain('</content></entry>');
    expect(written).toContain('&lt;&#0;');
    expect(written).toContain('[U+202E]😀');
  });

  it('of nobody is 404', async () => {
    expect((await get('/u/nobody_here/feed.atom')).status).toBe(404);
    expect((await get(`/u/${author.username}/feed.atom?cursor=made-up`)).status).toBe(400);
  });
});
