// Runs in the soak only.
import { describe, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, previewAndSend, signInFromHome } from '../../testing/browser/steps.ts';

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
      for (const section of SECTIONS.slice(0, -1))
        await page.getByLabel(section, { exact: true }).fill(`About ${section}.\n\nIn two paragraphs.`);
      await describeEtch(researcher, { description: 'Plan of a study', opens: utcField(SEALED_SECONDS) });
      await expecting({ status: 400, alert: 'Write the section “Stop rules”' }, () =>
        page.getByRole('button', { name: 'Preview' }).click(),
      );
      await page.getByLabel('Stop rules', { exact: true }).fill('After a hundred.');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Change something' }).click();
      await page.getByLabel('Sample', { exact: true }).fill('A hundred readers.');
      await previewAndSend(researcher, 'Seal it');
      await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
      await advance(SEALED_SECONDS);
      await page.getByText('A hundred readers.').first().waitFor();
      await page.getByText('Preregistration').first().waitFor();
    });
  });
});
