// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, send, signInFromHome } from '../../testing/browser/steps.ts';

const { advance, utcField, visit } = useJourneys();
const SEALED_SECONDS = 1_800;
const SECTIONS = ['Hypothesis', 'Design', 'Sample', 'Analysis', 'Exclusion rules', 'Stop rules'] as const;

describe.each(widths(1280))('at %i px', (width) => {
  test('a researcher preregisters, forgets a section, adds it, and sees the plan open', async () => {
    await visit(width, async (researcher) => {
      const { page, expecting } = researcher;
      await signInFromHome(researcher, `pia${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByRole('link', { name: 'preregistration' }).click();
      // The examples are placeholders, which no form sends.
      for (const section of SECTIONS) {
        const field = page.getByLabel(section, { exact: true });
        expect(await field.inputValue()).toBe('');
        expect(await field.getAttribute('placeholder')).not.toBeNull();
      }
      for (const section of SECTIONS.slice(0, -1))
        await page.getByLabel(section, { exact: true }).fill(`About ${section}.\n\nIn two paragraphs.`);
      const count = page.locator('.count-of').first();
      const before = await count.innerText();
      expect(before).toContain('headings and files included');
      await page
        .locator('[data-files] [type=file]')
        .first()
        .setInputFiles({
          name: 'data.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('plot,seedlings'),
        });
      await expect.poll(() => count.innerText()).not.toBe(before);
      await describeEtch(researcher, { description: 'Plan of a study', opens: utcField(SEALED_SECONDS) });
      await expecting({ status: 400, alert: 'Write the section “Stop rules”' }, () =>
        page.getByRole('button', { name: 'Preview' }).click(),
      );
      await page.getByLabel('Stop rules', { exact: true }).fill('After a hundred.');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Change something' }).click();
      await page.getByLabel('Sample', { exact: true }).fill('A hundred readers.');
      const counted = Number(/([\d,]+) of/.exec(await count.innerText())![1]!.replace(',', ''));
      await page.getByRole('button', { name: 'Preview' }).click();
      const stored = page.locator('details', { hasText: 'Exactly what is hashed as your words' });
      expect([...(await stored.locator('code').textContent())!]).toHaveLength(counted);
      await page.getByLabel('I saved the manifest').check();
      await send(researcher, 'Seal it');
      await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
      await advance(SEALED_SECONDS);
      await page.getByText('A hundred readers.').first().waitFor();
      await page.getByText('Preregistration').first().waitFor();
    });
  });
});
