// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { type Beacon, startBeacon } from '../../testing/beacon/start-beacon.ts';
import { expectAccessible } from '../../testing/browser/browser.ts';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { describeEtch, signInAs, signInFromHome } from '../../testing/browser/steps.ts';

let beacon: Beacon;
const { advance, ground, utcField, visit } = useJourneys(async () => {
  beacon = ground.keep(await startBeacon({ genesis: 1_700_000_000, period: 1 }));
  return beacon.settings;
});
const SEALED_SECONDS = 1_800;
const SECTIONS = ['Hypothesis', 'Design', 'Sample', 'Analysis', 'Exclusion rules', 'Stop rules'] as const;

describe.each(widths(390))('at %i px', (width) => {
  test('an author seals blindly, and a reader opens the words when the network released the key', async () => {
    let etch = '';
    let round = 0;
    await visit(width, async (author) => {
      const { page } = author;
      await page.goto(`${author.url}/write`);
      await page.getByLabel('Your words').fill('The kingfisher nests at the mill.');
      await describeEtch(author, { description: 'Where a bird nests', opens: utcField(SEALED_SECONDS) });
      await page.getByLabel('Blind seal until a date').check();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page
        .getByText(/^Your browser encrypts these words now, and the drand network publishes the key at/)
        .waitFor();
      await page.getByRole('button', { name: 'Encrypt and etch it' }).click();
      await signInAs(page, `ida${width}`);
      await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
      await expectAccessible(page, 'the preview of a blind etch');
      await page.getByRole('button', { name: 'Seal it' }).click();
      await page.waitForURL('**/e/*');
      await page.getByText('this service never had them.').waitFor();
      await page.getByLabel('What happened so far').getByText('Opens').waitFor();
      round = Number((await page.locator('[data-ciphertext]').textContent())!.split('|')[2]);
      etch = page.url();
    });
    await beacon.reach(round);
    await advance(SEALED_SECONDS);
    await visit(width, async ({ page, context }) => {
      await context.clock.setSystemTime(new Date(`${utcField(60)}Z`));
      await page.goto(etch);
      await page.locator('blockquote', { hasText: 'The kingfisher nests at the mill.' }).waitFor();
      await page.getByText('It is open.').waitFor();
      await page.locator('[data-broken] svg').waitFor();
    });
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/u/ida${width}`);
        const counts = page.locator('.counts > div').filter({ hasText: /public|sealed/ });
        expect((await counts.allInnerTexts()).map((text) => text.split('\n').sort())).toEqual([
          ['0', 'public'],
          ['1', 'sealed'],
        ]);
        expect(await page.locator('.etch.sealed').count()).toBe(1);
        expect(await page.locator('.etch').count()).toBe(1);
      },
      { javaScriptEnabled: false },
    );
  });

  test('a researcher seals a plan blindly, from a preview page of its own', async () => {
    await visit(width, async (researcher) => {
      const { page } = researcher;
      await signInFromHome(researcher, `ria${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByRole('link', { name: 'preregistration' }).click();
      for (const section of SECTIONS)
        await page.getByLabel(section, { exact: true }).fill(`About it: ${section}.`);
      await describeEtch(researcher, { description: 'A hidden plan', opens: utcField(SEALED_SECONDS) });
      await page.getByLabel('Blind seal until a date').check();
      const preview = page.getByRole('heading', { name: 'Check before you publish', level: 1 });
      await page.getByRole('button', { name: 'Preview' }).click();
      await preview.waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Write a preregistration' }).waitFor();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('blockquote', { hasText: '# Stop rules' }).waitFor();
      await page.getByRole('button', { name: 'Encrypt and etch it' }).click();
      await page.waitForURL('**/e/*');
      await page.getByText('this service never had them.').waitFor();
    });
  });
});
