// Runs in the soak only.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectToFit } from '../testing/browser/browser.ts';
import { usePages } from '../testing/browser/pages.ts';
import { startServer } from '../testing/machine/server.ts';
import { type Author, newAuthor } from '../testing/system/author.ts';
import { inSeconds, patient, PATIENCE_MS } from '../testing/wait.ts';

/** How long a text stays sealed while its page is open. */
const SEALED_SECONDS = 90;
const WAIT = { timeout: PATIENCE_MS + patient(SEALED_SECONDS) * 1000 };

let author: Author;
const ground = usePages({ MIN_REVEAL_LEAD_SECONDS: '5' }, async () => {
  author = await newAuthor(ground.world);
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(ground.world.url + path);
  await page.evaluate(() => Object.assign(window, { opened: true }));
}
const sameDocument = (page: Page): Promise<boolean> => page.evaluate(() => 'opened' in window);
const standing = (page: Page, text: string): Promise<void> =>
  page.locator('#standing', { hasText: text }).waitFor(WAIT);

test('shows live that an etch is anchored, retracted, and its retraction attested', async () => {
  await ground.gate.close();
  const { id } = await author.etch();
  await ground.withTab(async ({ page, troubles }) => {
    await open(page, `/e/${id}`);
    await standing(page, 'Written, waiting for the chain');
    expect(await page.locator('[data-live-note]').textContent()).toContain('updates itself');
    await ground.gate.open();
    await standing(page, 'Anchored');
    expect(await page.locator('[data-live-note]').textContent()).toMatch(/^Just now: the anchor arrived\.$/);
    await page.getByText('Technical details').click();
    await page.locator('.proof-path .root').waitFor();
    await expectAccessible(page, 'after it was anchored');
    await page.getByText('Show the canonical string').click();
    await author.call('POST', `/api/v1/etches/${id}/retract`);
    await standing(page, 'Retracted: the text is erased');
    expect(await page.locator('main').textContent()).not.toContain('The tide turns.');
    await page.getByText('Its erasure was recorded on the chain by').waitFor(WAIT);
    await page.getByText('Attestation of the tombstone', { exact: true }).waitFor();
    expect(await sameDocument(page)).toBe(true);
    expect(troubles).toEqual([]);
  });
});

// These tests mostly wait for a fixed time.
test.concurrent('counts down to a reveal and shows it live', async () => {
  const { id } = await author.etch({
    content: 'Open at last.',
    mode: 'delayed',
    reveal_at: inSeconds(SEALED_SECONDS),
  });
  await ground.withTab(async ({ page, troubles }) => {
    await open(page, `/e/${id}`);
    await standing(page, 'Sealed until');
    const countdown = page.locator('.countdown');
    await countdown.waitFor();
    expect(await countdown.textContent()).toMatch(/^in (\d+ min( \d+ s)?|\d+ s|less than a second)$/);
    expect(await page.content()).not.toContain('Open at last.');
    await expectAccessible(page, 'with a countdown');
    await page.locator('.words', { hasText: 'Open at last.' }).waitFor(WAIT);
    expect(await countdown.count()).toBe(0);
    expect(await sameDocument(page)).toBe(true);
    expect(troubles).toEqual([]);
  });
});

test.concurrent('shows live that a challenge closes and all answers open', async () => {
  const question = {
    question: 'Which day brings frost?',
    category_id: 'science',
    reveal_at: inSeconds(SEALED_SECONDS),
  };
  const { challenge } = await author.call('POST', '/api/v1/challenges', question);
  await ground.withTab(async ({ page, troubles }) => {
    await open(page, `/ch/${challenge.id}`);
    await page.locator('.countdown').waitFor();
    await author.etch({ content: 'The ninth.', mode: 'delayed', challenge_id: challenge.id });
    await page.locator('[data-part=answers] .card').waitFor();
    expect(await page.content()).not.toContain('The ninth.');
    await standing(page, 'Closed: every answer is open');
    await page.locator('.words', { hasText: 'The ninth.' }).waitFor(WAIT);
    expect(await sameDocument(page)).toBe(true);
    expect(troubles).toEqual([]);
  });
});

test.concurrent('counts down by the service’s clock when the browser’s is an hour ahead', async () => {
  const { id } = await author.etch({ mode: 'delayed', reveal_at: inSeconds(86_400) });
  await ground.withTab(async ({ page }) => {
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await open(page, `/e/${id}`);
    await page.locator('.countdown', { hasText: /^in 23 h$/ }).waitFor();
  });
});

test.concurrent('polls without a stream, and at the moment of the reveal', async () => {
  const { id } = await author.etch({
    content: 'Asked for.',
    mode: 'delayed',
    reveal_at: inSeconds(SEALED_SECONDS),
  });
  await ground.withTab(async ({ page, context, requests }) => {
    await context.route('**/events', (route) =>
      route.request().headers()['accept']?.includes('text/event-stream')
        ? route.fulfill({ status: 503, body: '' })
        : route.continue(),
    );
    await open(page, `/e/${id}`);
    await page.locator('.countdown').waitFor();
    await page.locator('.words', { hasText: 'Asked for.' }).waitFor(WAIT);
    expect(requests.filter((url) => url.endsWith('/events')).length).toBeGreaterThan(1);
    expect(await sameDocument(page)).toBe(true);
  });
});

test.concurrent('embeds an etch with hostile content in another site without running anything', async () => {
  const hostile = await author.etch({
    content: '<script>parent.postMessage("out", "*")</script>'.repeat(20) + 'W'.repeat(500),
    description: '"><script>top.location="about:blank"</script>',
  });
  const { html } = (await ground.world.client.call('GET', `/oembed?url=${encodeURIComponent(hostile.url)}`))
    .body;
  const site = await startServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>A blog</title><h1>A blog</h1>${html}</html>`);
  });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      await ground.withTab(
        async ({ page, troubles }) => {
          await page.goto(`${site.url}/`);
          const frame = page.frameLocator('iframe');
          await frame.locator('.words').waitFor();
          expect(await frame.locator('h1').textContent()).toContain('<script>');
          // A sandboxed frame has no origin from which to load a style.
          expect(await frame.locator('.told').evaluate((told) => getComputedStyle(told).overflowY)).toBe(
            'auto',
          );
          expect(troubles.filter((trouble) => !trouble.startsWith('request: '))).toEqual([]);
          await page.goto(`${hostile.url}/embed`);
          await expectAccessible(page, 'the embed');
          await expectToFit(page, 'the embed');
        },
        { colorScheme, viewport: { width: 390, height: 700 } },
      );
    }
  } finally {
    await site.stop();
  }
});

test.concurrent('serves feeds as XML and previews and QR codes as pictures', async ({ expect }) => {
  const { id } = await author.etch({ content: ']]> & <feed>' });
  await ground.withTab(async ({ page, troubles }) => {
    await page.goto(`${ground.world.url}/e/${id}`);
    const problems = await page.evaluate(async (path) => {
      const text = await (await fetch(path)).text();
      return new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('parsererror').length;
    }, `/u/${author.agent.username}/feed.atom`);
    expect(problems).toBe(0);
    const preview = (await page.getAttribute('meta[property="og:image"]', 'content'))!;
    expect(
      await page.evaluate(async (src) => {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      }, preview),
    ).toEqual([1200, 630]);
    await page.getByText('QR code').click();
    await expect
      .poll(() => page.locator('.qr img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await page.getByText('Embed this etch').click();
    await expectAccessible(page, 'with all opened');
    await expectToFit(page, 'with all opened');
    expect(troubles).toEqual([]);
  });
});

test('stops despite an open page, which continues after a restart', async () => {
  const { id } = await author.etch({
    content: 'After the restart.',
    mode: 'delayed',
    reveal_at: inSeconds(SEALED_SECONDS),
  });
  await ground.withTab(async ({ page }) => {
    await open(page, `/e/${id}`);
    await page.locator('.countdown').waitFor();
    expect(await ground.world.service.stop()).toEqual({ code: 0, signal: null });
    await ground.world.start();
    await page.locator('.words', { hasText: 'After the restart.' }).waitFor(WAIT);
    expect(await sameDocument(page)).toBe(true);
  });
});
