// Runs on PostgreSQL; the soak repeats it on PGlite.
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import { useService } from '../../../../testing/service/service.ts';
import { meta, useSharedRecord } from './shared-record.ts';

const service = useService();

const shared = useSharedRecord(service);

const sharedPages = (): string[] => [
  ...Object.values(shared.etches).map(({ id }) => `/e/${id}`),
  `/ch/${shared.challenge.id}`,
  `/u/${shared.author.username}`,
];

describe('oEmbed', () => {
  const ask = (url: string, more = ''): Promise<Reply> =>
    shared.get(`/oembed?url=${encodeURIComponent(url)}${more}`, {});

  it('is linked from each page, and describes it', async () => {
    for (const page of sharedPages()) {
      const { text } = await shared.get(page);
      const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)" title="[^"]*"/
        .exec(text)![1]!
        .replaceAll('&amp;', '&');
      const {
        status,
        headers,
        body,
        text: answered,
      } = await shared.get(href.replace(service.baseUrl, ''), {});
      expect(status, page).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(body).toMatchObject({
        version: '1.0',
        type: page.startsWith('/u/') ? 'link' : 'rich',
        author_url: `${service.baseUrl}/u/${shared.author.username}`,
        provider_url: service.baseUrl,
        thumbnail_width: 1200,
        thumbnail_height: 630,
      });
      expect(body.thumbnail_url).toBe(meta(text, 'og:image'));
      shared.expectNothingHidden(answered, page);
    }
  });

  it('accepts every address of an etch, and returns a frame that fits', async () => {
    const { id, code, url } = shared.etches.open;
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
      expect(body.html).toContain('style="max-width: 100%"');
      expect(body.html).toContain('title="A tide with &lt;i&gt;&quot;markup&quot;&lt;/i&gt; &amp; more"');
    }
    const { body } = await ask(url, '&maxwidth=320&maxheight=200&format=json');
    expect(body).toMatchObject({ width: 320, height: 200 });
    expect(body.html).toContain('width="320" height="200"');
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
  ])('answers %s with %i in the envelope', async (query, expected) => {
    const { status, body } = await shared.get(
      `/oembed${query.replaceAll('BASE', encodeURIComponent(service.baseUrl))}`,
      {},
    );
    expect(status).toBe(expected);
    expect(body.error.message).toBeTruthy();
  });
});

describe('an embed', () => {
  it('may be framed by any site and can do nothing; other pages may not be framed', async () => {
    for (const { id } of Object.values(shared.etches)) {
      const { status, headers, text } = await shared.get(`/e/${id}/embed`);
      expect(status).toBe(200);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain('frame-ancestors *');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|connect-src/);
      expect(headers.get('x-frame-options')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(text).not.toMatch(/<script|\ssrc=|<link(?! rel="canonical")/);
      shared.expectNothingHidden(text, id);
    }
    for (const page of [...sharedPages(), '/', `/e/${shared.etches.open.id}/verify`])
      expect((await shared.get(page)).headers.get('content-security-policy'), page).toContain(
        "frame-ancestors 'none'",
      );
  });

  it('shows a retraction at once', async () => {
    const etch = await service.etch(shared.author, { content: 'Shown elsewhere.' });
    expect((await shared.get(`/e/${etch.id}/embed`)).text).toContain('Shown elsewhere.');
    await service.call('POST', `/api/v1/etches/${etch.id}/retract`, undefined, { key: shared.author.key });
    const { text } = await shared.get(`/e/${etch.id}/embed`);
    expect(text).not.toContain('Shown elsewhere.');
    expect(text).toContain('The words were erased by their author.');
  });

  it('returns a 404 that cannot be framed for an unknown etch', async () => {
    const { status, headers } = await shared.get('/e/zzzzzz/embed');
    expect(status).toBe(404);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

it('serves an account’s picture with a long cache time, also for an unknown id', async () => {
  const id = crypto.randomUUID();
  const picture = await fetch(`${service.baseUrl}/portraits/v1/${id}.svg`);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('cache-control')).toContain('immutable');
  expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
  for (const name of ['x', id.toUpperCase(), `${id}%22`])
    expect((await fetch(`${service.baseUrl}/portraits/v1/${name}.svg`)).status).toBe(404);
});

describe('a challenge', () => {
  it('hides its answers in an embed until it closes', async () => {
    const { status, text, headers } = await shared.get(`/ch/${shared.challenge.id}/embed`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(text).toContain('Answers are sealed until');
    expect(text).not.toContain('<svg viewBox="0 0 360');
    shared.expectNothingHidden(text, 'the embed');
    expect((await shared.get('/ch/zzzzzz/embed')).status).toBe(404);
  });

  it('shows the chart of its answers in a frame that oEmbed describes', async () => {
    const asked = {
      question: 'Frost <i>tonight</i>? [yes|no]',
      category_id: 'science',
      reveal_at: new Date(service.clock.now() + 3_600_000).toISOString(),
    };
    const { body } = await service.call('POST', '/api/v1/challenges', asked, { key: shared.author.key });
    const { id } = body.challenge;
    for (const chance of ['0.2', '0.6', '0.7'])
      await service.etch(await service.registerAgent(), {
        content: `svc-forecast:v1 yes=${chance}`,
        mode: 'delayed',
        challenge_id: id,
      });
    service.clock.advance(7_200_000);
    try {
      const url = `${service.baseUrl}/ch/${id}`;
      const { body: told } = await shared.get(`/oembed?url=${encodeURIComponent(url)}&maxwidth=500`, {});
      expect(told).toMatchObject({ type: 'rich', title: 'Frost <i>tonight</i>?', width: 500, height: 480 });
      expect(told.html).toContain(`<iframe src="${url}/embed" width="500" height="480"`);
      expect(told.html).toContain('title="Frost &lt;i&gt;tonight&lt;/i&gt;?"');
      const { text, headers } = await shared.get(`/ch/${id}/embed`);
      expect(text).toContain('What was said');
      expect(text).toContain('Half of the forecasts say <strong>60 %</strong> or more for yes');
      expect(text).toContain('Frost &lt;i>tonight&lt;/i>?');
      expect(text).toContain(`<a href="${url}" target="_blank" rel="noopener">All answers</a>`);
      expect(text).not.toMatch(/<script|\ssrc=|<link(?! rel="canonical")/);
      expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe|connect-src/);
    } finally {
      service.clock.release();
    }
  });
});
