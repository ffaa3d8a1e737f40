import { describe, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, send, signInAs } from '../../testing/browser/steps.ts';

const { advance, utcField, visit } = useJourneys();
const SEALED_SECONDS = 1_800;

describe.each(widths(1280))('at %i px', (width) => {
  test('a visitor seals a prediction, which opens by itself, and says what came true', async () => {
    await visit(width, async (visitor) => {
      const { page, url } = visitor;
      await page.goto(url);
      await page.getByRole('button', { name: 'Write it for real' }).click();
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
      await page.getByText('This hash existed by').waitFor();
      await advance(SEALED_SECONDS);
      await page.locator('blockquote', { hasText: 'before the market' }).waitFor();
      await page.locator('[data-just-opened] .seal').first().waitFor();
      await page.getByRole('link', { name: 'Resolve it' }).click();
      await page.getByLabel('yes', { exact: true }).check();
      await page.getByLabel('Source').fill('https://weather.example.org/frost');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Publish the outcome' }).click();
      await page.waitForURL('**/e/*');
      await page.getByText('weather.example.org/frost').first().waitFor();
    });
  });
});
