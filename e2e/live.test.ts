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

test.concurrent('counts down by the service’s clock when the browser’s is an hour ahead', async () => {
  const reveal = new Date(Date.now() + 86_400_000).toISOString();
  const { id } = await author.etch({ mode: 'delayed', reveal_at: reveal });
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
          expect(
            await frame.locator('.content').evaluate((content) => getComputedStyle(content).overflowY),
          ).toBe('auto');
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
