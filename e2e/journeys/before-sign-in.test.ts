// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { describeEtch, send, signInAs } from '../../testing/browser/steps.ts';

const { utcField, visit } = useJourneys();

/** A visitor has written; signs in at the last step; and seals what stands there. */
async function sealAfterSignIn({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Sign in and seal it' }).click();
  expect(page.url()).not.toContain('snow');
  await page.getByRole('link', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Sign in and seal it' }).click();
  await signInAs(page, name);
  await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
  await page.getByText(`@${name}, in the hash`).waitFor();
}

describe.each(widths(390))('at %i px', (width) => {
  test('a visitor seals a sentence in the browser, opens it, and seals it for real', async () => {
    await visit(width, async (visitor) => {
      const { page, url, context } = visitor;
      await page.goto(url);
      const words = page.getByLabel('Something that you expect');
      await words.fill('It snows in June.');
      await page.getByText('Write it for real').waitFor();
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Seal it' }).click();
      const mark = await page.locator('[data-mark]').innerText();
      expect(mark).toMatch(/^[0-9a-f]{64}$/);
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByText('these are the sealed words').waitFor();
      const opened = page.getByLabel('Your words, opened');
      await opened.fill('It snows in July.');
      await page.getByText('These are not the sealed words.').waitFor();
      await opened.fill('It snows in June.');
      await page.getByText('these are the sealed words').waitFor();
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Write it for real' }).click();
      expect(await page.getByLabel('Your words').inputValue()).toBe('It snows in June.');
      await describeEtch(visitor, { description: 'About the summer', opens: utcField(3_600) });
      const name = `jun${width}`;
      await sealAfterSignIn(visitor, name);
      await send(visitor, 'Seal it');
      await page.waitForURL('**/e/*');
      await page.getByRole('heading', { name: 'About the summer' }).waitFor();
    });
  });

  test('a visitor without scripts writes, previews, signs in and seals', async () => {
    await visit(
      width,
      async (visitor) => {
        const { page, url } = visitor;
        // Another name of this machine leads to the service's own, where forms and cookies work.
        await page.goto(url.replace('127.0.0.1', 'localhost'));
        expect(page.url()).toBe(`${url}/`);
        expect(await page.getByRole('button', { name: 'Seal it' }).count()).toBe(0);
        await page.getByLabel('Something that you expect').fill('It snows in May.');
        await page.getByRole('button', { name: 'Write it for real' }).click();
        await describeEtch(visitor, { description: 'About the spring', opens: utcField(3_600) });
        await sealAfterSignIn(visitor, `mai${width}`);
        await page.getByRole('button', { name: 'Seal it' }).click();
        await page.waitForURL('**/e/*');
        await page.getByRole('heading', { name: 'About the spring' }).waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  test('“Not now” leaves the page that asks for a sign-in', async () => {
    await visit(width, async ({ page, url }) => {
      await page.goto(`${url}/inbox`);
      await page.getByRole('link', { name: 'Not now' }).click();
      await page.getByRole('heading', { name: 'Write it down now.' }).waitFor();
    });
  });
});
