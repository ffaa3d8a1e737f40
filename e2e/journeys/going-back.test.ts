// Runs in the soak only.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, signInFromHome } from '../../testing/browser/steps.ts';

const { utcField, visit } = useJourneys();
const WORDS = 'The otter is back at the weir.';

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'Back after etching leads to a page of the service, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async (author) => {
          const { page, expecting } = author;
          await signInFromHome(author, `otto${width}`);
          await page.getByRole('link', { name: 'Write', exact: true }).click();
          await page.getByLabel('Your words').fill(WORDS);
          await describeEtch(author, { description: 'About an animal', opens: utcField(1_800) });
          await page.getByLabel('Topic').selectOption('');
          const refused = { status: 400, ...(javaScriptEnabled && { alert: 'Choose a topic' }) };
          await expecting(refused, () => page.getByRole('button', { name: 'Preview' }).click());
          await page.getByLabel('Topic').selectOption('science');
          await page.getByRole('button', { name: 'Preview' }).click();
          await page.getByRole('button', { name: 'Seal it' }).click();
          await page.waitForURL('**/e/*');
          const etch = page.url();
          await page.goBack();
          if (javaScriptEnabled) {
            await page.getByRole('heading', { name: 'Write an etch' }).waitFor();
            expect(await page.getByLabel('Your words').inputValue()).toBe('');
          } else {
            await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
            await page.getByRole('button', { name: 'Seal it' }).click();
            await page.waitForURL(etch);
            await page.goBack();
            await expecting(refused, () => page.goBack());
            expect(await page.getByLabel('Your words').inputValue()).toBe(WORDS);
          }
          await page.getByRole('link', { name: 'Account', exact: true }).click();
          await page.getByRole('button', { name: 'Sign out' }).click();
          await page.getByText('You are signed out').waitFor();
          await expecting({ request: 'ERR_CACHE_MISS' }, () => expectHidden(page));
        },
        { javaScriptEnabled },
      );
    },
  );
});

async function expectHidden(page: Page): Promise<void> {
  for (let back = 0; back < 4; back++) {
    await page.goBack().catch(() => undefined);
    await expect.poll(() => page.content().catch(() => WORDS)).not.toContain(WORDS);
  }
}
