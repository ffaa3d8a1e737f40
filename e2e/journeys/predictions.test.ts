import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import {
  describeEtch,
  expectAfterReload,
  expectPicture,
  expectShared,
  send,
  signInAs,
} from '../../testing/browser/steps.ts';

const { advance, utcField, visit } = useJourneys();
const SEALED_SECONDS = 1_800;

describe.each(widths(1280))('at %i px', (width) => {
  test('a visitor seals a prediction, which opens by itself, and says what came true', async () => {
    await visit(width, async (visitor) => {
      const { page, url } = visitor;
      await page.goto(url);
      await page.getByRole('button', { name: 'Write an etch' }).click();
      await page.getByLabel('Forecast', { exact: true }).check();
      await page.getByLabel('yes', { exact: true }).fill('70 %');
      await page.getByLabel('Your words').fill('The first frost comes before the market.');
      await describeEtch(visitor, {
        description: '  Does the first frost come before the market?\n',
        opens: utcField(SEALED_SECONDS),
      });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Sign in and seal it' }).click();
      await signInAs(page, `eva${width}`);
      await send(visitor, 'Seal it');
      await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
      const etch = page.url();
      await page.locator('.countdown', { hasText: /^in \d+ min/ }).waitFor();
      await page.getByText('This hash existed by').waitFor();
      const opens = await page.locator('.spine time').last().innerText();
      expect((await page.locator('main').innerText()).split(opens)).toHaveLength(2);
      await advance(SEALED_SECONDS);
      await page.locator('blockquote', { hasText: 'before the market' }).waitFor();
      const half = page.locator('[data-just-opened] .unsealed .seal.large path').first();
      const animation = () => half.evaluate((path) => getComputedStyle(path).animationName);
      expect(await animation()).toBe('break-seal');
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await animation()).toBe('none');
      await expectShared(visitor);
      await page.getByRole('link', { name: 'Resolve it' }).click();
      await page.getByLabel('yes', { exact: true }).check();
      await page.getByLabel('Source').fill('https://weather.example.org/frost');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Publish the outcome' }).click();
      await page.waitForURL('**/e/*');
      await page.getByText('weather.example.org/frost').first().waitFor();
      await page.goto(etch);
      await expectAfterReload(visitor, 'Resolved: yes');
      await page.locator('.spine li', { hasText: 'Resolved' }).waitFor();
      await expectPicture(visitor, /^Sealed .*, opened .*before the market.*The proof dates from/s);
    });
  });
});
