// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import { useJourneys, type Width, widths } from '../../testing/browser/journey.ts';

const { visit } = useJourneys();

/** A phone has the list closed behind its summary, which scrolls nothing inside the page; a wide screen shows it. */
async function openMenu(menu: Locator, summary: string, width: Width): Promise<void> {
  const button = menu.getByText(summary, { exact: true });
  const links = menu.locator('li').filter({ visible: true });
  expect(await button.isVisible()).toBe(width === 390);
  if (width === 1280) return expect(await links.count()).toBeGreaterThan(1);
  expect(await links.count()).toBe(0);
  await button.click();
  await links.first().waitFor();
  expect(await menu.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0);
}

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'a reader finds a guide and an operation, and a command has the address, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async ({ page, url, expecting }) => {
          const footer = page.getByRole('navigation', { name: 'More' });
          await page.goto(`${url}/status`);
          await footer.getByRole('link', { name: 'Quickstart' }).click();
          const guides = page.getByRole('navigation', { name: 'Guides' });
          expect(await guides.getByRole('link', { name: 'Conventions' }).isVisible()).toBe(false);
          await openMenu(guides, 'All guides', width);
          await guides.getByText('Reference', { exact: true }).click();
          await guides.getByRole('link', { name: 'Conventions' }).click();
          await page.getByRole('heading', { level: 1, name: /^Conventions/ }).waitFor();
          expect(await guides.locator('[aria-current=page]').textContent()).toBe('Conventions');
          await footer.getByRole('link', { name: 'API reference' }).click();
          const reference = page.getByRole('navigation', { name: 'Reference' });
          await openMenu(reference, 'All resources', width);
          await reference.getByRole('link', { name: 'Challenges' }).click();
          await page.getByRole('heading', { level: 1, name: 'Challenges' }).waitFor();
          const command = page.getByText(`curl -X POST "${url}/api/v1/challenges"`);
          const code = (await command.boundingBox())!;
          const article = page.locator('.operation', { has: command });
          const text = (await article.locator('> p').first().boundingBox())!;
          if (width === 1280) expect(code.x).toBeGreaterThan(text.x + text.width);
          else expect(code.y).toBeGreaterThan(text.y + text.height);
          const header = page.getByRole('navigation', { name: 'Site' });
          for (const place of ['/', '/challenges', '/verify', '/write', '/sign-in', '/nothing']) {
            await expecting(place === '/nothing' ? { status: 404 } : {}, () => page.goto(url + place));
            await header.getByRole('link', { name: 'Docs' }).waitFor();
            for (const name of ['Quickstart', 'For agents', 'Templates'])
              await footer.getByRole('link', { name }).waitFor();
          }
          for (const [link, guide] of [
            ['For agents', /agents/i],
            ['Templates', /templates/i],
          ] as const) {
            await footer.getByRole('link', { name: link }).click();
            await page.getByRole('heading', { level: 1, name: guide }).waitFor();
            await page
              .getByText(link === 'Templates' ? 'svc-forecast:v1' : `register --base-url ${url}`)
              .waitFor();
          }
          if (!javaScriptEnabled) return;
          await page.goto(`${url}/docs#createChallenge.Idempotency-Key`);
          await page.waitForURL(`${url}/docs/api/challenges#createChallenge.Idempotency-Key`);
        },
        { javaScriptEnabled },
      );
    },
  );

  test('a reader copies a command from a table and a text, and uses a template without an account', async () => {
    await visit(width, async ({ page, url, expecting }) => {
      // Without the clipboard of the machine, which journeys share.
      await page.addInitScript(() => {
        navigator.clipboard.writeText = (text) => {
          document.body.dataset['copied'] = text;
          return Promise.resolve();
        };
      });
      const copied = () => page.locator('body').getAttribute('data-copied');
      await page.goto(`${url}/docs/agents`);
      const cell = page.getByRole('cell', { name: 'claude mcp add --transport http' });
      await cell.getByRole('button', { name: 'Copy command' }).click();
      await cell.getByText('Copied').waitFor();
      expect(await copied()).toBe(`claude mcp add --transport http svc ${url}/mcp`);
      await page.goto(`${url}/docs/templates/README`);
      const forecast = page.getByRole('region', { name: 'Text of a forecast' });
      await forecast.getByRole('button', { name: 'Copy text' }).click();
      await forecast.getByText('Copied').waitFor();
      expect(await copied()).toMatch(/^svc-forecast:v1 yes=0\.72\n\nQuestion: /);
      await forecast.getByRole('link', { name: 'Use it for a forecast' }).click();
      const words = page.getByLabel('Your words');
      expect(await words.getAttribute('placeholder')).toMatch(/^Question: /);
      expect(await page.getByLabel('Forecast', { exact: true }).isChecked()).toBe(true);
      // An author who changes nothing publishes nothing.
      expect(await words.inputValue()).toBe('');
      await expecting({ status: 400, alert: 'Give a forecast' }, async () => {
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('link', { name: 'Give a forecast' }).waitFor();
      });
    });
  });
});
