// Runs in the soak only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { BROWSER, overall } from '../../testing/browser/verdict.ts';
import type { Json } from '../../testing/json.ts';
import { newFolder } from '../../testing/machine/folder.ts';
import { newAuthor } from '../../testing/system/author.ts';

const { ground, visit } = useJourneys();
let etch: Json;
beforeAll(async () => {
  const author = await newAuthor(ground.world);
  const { id } = await author.etch({
    content: 'The dike holds until spring.',
    description: 'About the dike',
  });
  [etch] = await author.anchored(id);
});

describe.each(widths(390))('at %i px', (width) => {
  test('a sceptic follows a link and checks the etch, then a saved receipt from disk', async () => {
    await visit(width, async (sceptic) => {
      const { page } = sceptic;
      await page.goto(etch.short_url);
      await page.locator('blockquote', { hasText: 'The dike holds' }).waitFor();
      const receipt = await savedReceipt(sceptic);
      await page.getByRole('link', { name: 'Verify it yourself' }).click();
      expect(await overall(page, BROWSER)).toBe('pass');
      await page.getByRole('link', { name: 'How verification works' }).first().click();
      await page.getByLabel('The words', { exact: true }).press('End');
      await page.getByLabel('The words', { exact: true }).press('Backspace');
      await page.locator('[data-verdict=other]').waitFor();
      await page.getByRole('link', { name: 'Verify', exact: true }).click();
      await page.locator('#receipt-file').setInputFiles(receipt);
      expect(await overall(page, BROWSER)).toBe('pass');
      await page.goto(pathToFileURL(receipt).href);
      expect(await overall(page, BROWSER)).toBe('unpinned');
      await page.getByText('The words match. The attester is not checked yet').first().waitFor();
      const pair = page.locator('.two', { has: page.locator('[data-overall]') });
      await pair.getByLabel('Values of the service (svc.json)').waitFor();
      const published = await (await fetch(`${ground.world.url}/.well-known/svc.json`)).text();
      await page.getByLabel('Values of the service (svc.json)').fill(published);
      expect(await overall(page, 'with the values that you entered')).toBe('pass');
      const field = pair.getByLabel('Values of the service (svc.json)');
      expect(await field.inputValue()).toBe(published);
      expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
    });
  });
});

async function savedReceipt({ page }: Visit): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the receipt that checks itself' }).click();
  const file = join(newFolder('saved'), 'receipt.html');
  await (await saving).saveAs(file);
  expect(readFileSync(file, 'utf8')).toContain('The dike holds');
  return file;
}
