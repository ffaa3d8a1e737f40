// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';

const { visit } = useJourneys();

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
          await guides.getByText('Reference', { exact: true }).click();
          await guides.getByRole('link', { name: 'Conventions' }).click();
          await page.getByRole('heading', { level: 1, name: /^Conventions/ }).waitFor();
          expect(await guides.locator('[aria-current=page]').innerText()).toBe('Conventions');
          await footer.getByRole('link', { name: 'API reference' }).click();
          await page
            .getByRole('navigation', { name: 'Reference' })
            .getByRole('link', { name: 'Challenges' })
            .click();
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
            expect(await page.locator('script').count()).toBe(0);
          }
          if (!javaScriptEnabled) return;
          await page.goto(`${url}/docs#createChallenge.Idempotency-Key`);
          await page.waitForURL(`${url}/docs/api/challenges#createChallenge.Idempotency-Key`);
        },
        { javaScriptEnabled },
      );
    },
  );
});
