// Runs in the soak only.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { describeEtch, send, signInFromHome } from '../../testing/browser/steps.ts';

const { visit } = useJourneys();
const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The weir opens on Friday.') };
const map = { name: 'map.txt', mimeType: 'text/plain', buffer: Buffer.from('North is up.') };
const other = { ...map, name: 'other.txt', buffer: Buffer.from('South is up.') };

describe.each(widths(390))('at %i px', (width) => {
  test('an author commits to files, and compares them with the etch', async () => {
    await visit(width, async (author) => {
      const { page } = author;
      await signInFromHome(author, `fay${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByLabel('Files', { exact: true }).check();
      await page.getByLabel('Add files…').setInputFiles([plan, map]);
      await page.getByText('2 files').waitFor();
      await describeEtch(author, { description: 'Plans for the weir' });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('.file-rows', { hasText: 'plan.txt' }).waitFor();
      const manifest = await savedManifest(author);
      await page.getByLabel('I saved the manifest').check();
      await send(author, 'Etch it');
      await page.getByLabel('Add files…').setInputFiles([manifest, plan, other]);
      await page.locator('li.pass', { hasText: 'plan.txt matches' }).waitFor();
      await page.locator('li.fail', { hasText: 'other.txt matches no file' }).waitFor();
      await page.getByRole('link', { name: 'Verify it yourself' }).click();
      await page.locator('[data-overall]').first().waitFor();
      expect(await page.locator('[data-overall]').first().getAttribute('data-overall')).not.toBe('fail');
    });
  });
});

async function savedManifest({ page }: Visit) {
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the manifest' }).click();
  const buffer = readFileSync(await (await saving).path());
  return { name: 'manifest.json', mimeType: 'application/json', buffer };
}
