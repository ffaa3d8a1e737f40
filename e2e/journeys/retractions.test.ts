// Runs in the soak only.
import { describe, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, previewAndSend, signInFromHome } from '../../testing/browser/steps.ts';

const { visit } = useJourneys();

describe.each(widths(1280))('at %i px', (width) => {
  test('an author retracts an etch, and the erasure is recorded on the chain', async () => {
    await visit(width, async (author) => {
      const { page } = author;
      await signInFromHome(author, `ray${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByLabel('Your words').fill('A word too many.');
      await describeEtch(author, { description: 'Something said', topic: 'personal' });
      await previewAndSend(author, 'Etch it');
      await page.locator('[data-part=standing] h2', { hasText: 'Anchored' }).waitFor();
      await page.getByRole('link', { name: 'Retract this etch…' }).click();
      await page.getByRole('button', { name: 'Retract it for good' }).click();
      await page.getByText('Retracted: the text is erased').waitFor();
      await page.getByText('A word too many.').waitFor({ state: 'detached' });
      await page.getByText('Its erasure was recorded on the chain by').waitFor();
      await page.getByRole('link', { name: 'Verify it yourself' }).click();
      await page.locator('[data-overall=retracted]').first().waitFor();
    });
  });
});
