import { expect, it } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { meta, useSharedRecord } from './shared-record.ts';

const service = useService();
const shared = useSharedRecord(service);

it('oEmbed is linked from each page, and describes it', async () => {
  for (const page of shared.pages()) {
    const { text } = await shared.get(page);
    const link = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)" title="[^"]*"/;
    const href = link.exec(text)![1]!.replaceAll('&amp;', '&');
    const answer = await shared.get(href.replace(service.baseUrl, ''), {});
    expect(answer.headers.get('content-type')).toContain('application/json');
    const body = {
      version: '1.0',
      type: page.startsWith('/u/') ? 'link' : 'rich',
      provider_url: service.baseUrl,
      author_url: `${service.baseUrl}/u/${shared.author.username}`,
      thumbnail_width: 1200,
      thumbnail_height: 630,
      thumbnail_url: meta(text, 'og:image'),
    };
    expect(answer).toMatchObject({ status: 200, body });
    shared.expectNothingHidden(answer.text, page);
  }
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
  ['?url=BASE%2Fe%2Fzzzzzz&format=JSON', 404],
])('answers %s with %i in the envelope', async (query, expected) => {
  const path = `/oembed${query.replaceAll('BASE', encodeURIComponent(service.baseUrl))}`;
  const { status, body } = await shared.get(path, {});
  expect(status).toBe(expected);
  expect(body.error.message).toBeTruthy();
});

it('an embed may be framed by any site and can do nothing; other pages may not be framed', async () => {
  for (const { id } of Object.values(shared.etches)) {
    const { status, headers, text } = await shared.get(`/e/${id}/embed`);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors \*/);
    expect(policy).not.toMatch(/script-src|unsafe|connect-src/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(text).not.toMatch(/<script|\ssrc=|<link(?! rel="canonical")/);
    shared.expectNothingHidden(text, id);
  }
  const pages = [...shared.pages(), '/', `/e/${shared.etches.open.id}/verify`, '/e/zzzzzz/embed'];
  for (const page of pages) {
    const { status, headers } = await shared.get(page);
    expect(status, page).toBe(page === '/e/zzzzzz/embed' ? 404 : 200);
    expect(headers.get('content-security-policy'), page).toContain("frame-ancestors 'none'");
  }
});

it('an embed shows a retraction at once', async () => {
  const etch = await service.etch(shared.author, { content: 'Shown elsewhere.' });
  expect((await shared.get(`/e/${etch.id}/embed`)).text).toContain('Shown elsewhere.');
  await service.retract(shared.author, etch.id);
  const { text } = await shared.get(`/e/${etch.id}/embed`);
  expect(text).not.toContain('Shown elsewhere.');
  expect(text).toContain('The words were erased by their author.');
});

it('a challenge hides its answers in an embed until it closes', async () => {
  const { status, text, headers } = await shared.get(`/ch/${shared.challenge.id}/embed`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(text).toContain('Open until');
  expect(text).not.toContain('<svg viewBox="0 0 360');
  shared.expectNothingHidden(text, 'the embed');
  expect((await shared.get('/ch/zzzzzz/embed')).status).toBe(404);
});
