// Runs in the soak only.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { newAuthor } from '../../testing/system/author.ts';
import { signInFromHome } from '../../testing/browser/steps.ts';

const { ground, visit } = useJourneys();

/** undefined before the first paint */
function paintedWithOwnTimes(): boolean | undefined {
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  const [times] = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes('/times.')) as PerformanceResourceTiming[];
  return painted && times!.responseEnd > 0 && painted.startTime >= times!.responseEnd;
}

describe.each(widths(390))('at %i px', (width) => {
  test('an author in Berlin enters a time that the clocks skip, and one that they show twice', async () => {
    await visit(
      width,
      async (author) => {
        const { page } = author;
        await signInFromHome(author, `uwe${width}`);
        await page.getByRole('link', { name: 'Write', exact: true }).click();
        await page.getByLabel('Your words').fill('The clocks go forward.');
        await page.getByRole('textbox', { name: 'Description' }).fill('About clocks');
        await page.getByLabel('Topic').selectOption('science');
        await page.getByLabel('Sealed until a date').check();
        const local = page.getByLabel('Opens at (Europe/Berlin time)');
        const preview = page.getByRole('button', { name: 'Preview' });
        await local.fill('2031-03-30T02:30');
        const skipped =
          '30 March 2031, 02:30 does not exist in Europe/Berlin, because clocks go forward then. ' +
          'Enter 30 March 2031, 01:30 or 30 March 2031, 03:30.';
        await page.getByText(skipped).waitFor();
        await preview.click();
        expect(await local.evaluate((field) => field === document.activeElement)).toBe(true);
        await local.fill('2031-10-26T02:30');
        await page.getByText(skipped).waitFor({ state: 'hidden' });
        await preview.click();
        await page.getByText('Choose which 02:30 you mean.').waitFor();
        const which = page.getByLabel('Your clock shows this time twice. Which one?');
        await which.selectOption('the second, 01:30 UTC');
        expect(await page.locator('[name=reveal_at]').inputValue()).toBe('2031-10-26T01:30');
        await preview.click();
        await page.getByText('26 October 2031, 02:30 CET').waitFor();
        await page.getByRole('button', { name: 'Change something' }).click();
        expect(await which.inputValue()).toBe('2031-10-26T01:30');
        await local.fill('2031-10-27T02:30');
        await which.waitFor({ state: 'hidden' });
        await preview.click();
        await page.getByText('27 October 2031, 02:30 CET').waitFor();
      },
      { timezoneId: 'Europe/Berlin' },
    );
  });

  test('a reader in Berlin reads local times with their zone, and UTC on hover, in print and without scripts', async () => {
    const author = await newAuthor(ground.world);
    const { id } = await author.etch({ mode: 'delayed', reveal_at: '2031-07-01T10:00:00.000Z' });
    const berlin = { timezoneId: 'Europe/Berlin' };
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/e/${id}`);
        const opens = page.locator('.spine time').last();
        await page.getByText('1 July 2031, 12:00 CEST').waitFor();
        expect(await opens.getAttribute('title')).toBe('1 July 2031, 10:00:00.000 UTC');
        expect(await opens.innerText()).toBe('1 July 2031, 12:00 CEST');
        await page.emulateMedia({ media: 'print' });
        expect(await opens.innerText()).toBe('1 July 2031, 10:00 UTC');
        await page.emulateMedia({ media: 'screen' });
        await page.getByRole('link', { name: /^the record of/ }).click();
        await page.locator('.page-head .own-time', { hasText: /^\d+ \w+ \d{4} CES?T$/ }).waitFor();
        const since = page.locator('.page-head time');
        expect(await since.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d\.\d{3} UTC$/);
        await page.route('**/times.*.js', async (route) => {
          await setTimeout(500);
          await route.continue();
        });
        await page.reload();
        await expect.poll(() => page.evaluate(paintedWithOwnTimes)).toBe(true);
      },
      berlin,
    );
    const [anchored] = await author.anchored((await author.etch()).id);
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/e/${anchored!.id}/receipt.html`);
        const attested = page.locator('[data-result] time', { hasText: / CES?T/ }).first();
        await attested.waitFor();
        expect(await attested.getAttribute('title')).toMatch(/ UTC$/);
        await page.emulateMedia({ media: 'print' });
        expect(await attested.innerText()).toMatch(/:\d\d UTC$/);
      },
      berlin,
    );
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/e/${id}`);
        await page.getByText('1 July 2031, 10:00 UTC').waitFor();
      },
      { ...berlin, javaScriptEnabled: false },
    );
  });
});
