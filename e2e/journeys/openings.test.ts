// Runs in the soak only.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Beacon, startBeacon } from '../../testing/beacon/start-beacon.ts';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { describeEtch, previewAndSend, signInFromHome } from '../../testing/browser/steps.ts';

let beacon: Beacon;
const { ground, utcField, visit } = useJourneys(async () => {
  beacon = ground.keep(await startBeacon({ genesis: 1_700_000_000, period: 1 }));
  return beacon.settings;
});
const WORDS = 'The bittern booms before March.';
const RELAY = 'Relay of the drand network';
const SIGNATURE = 'Or the signature of the round';
const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

describe.each(widths(390))('at %i px', (width) => {
  test('an author saves an opening and retracts the etch, and a reader opens the file at its time', async () => {
    let opening = '';
    await visit(width, async (author) => {
      const { page } = author;
      await signInFromHome(author, `bo${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByLabel('Your words').fill(WORDS);
      await describeEtch(author, { description: 'When a bird booms', opens: utcField(3_600) });
      await previewAndSend(author, 'Seal it');
      opening = await savedOpening(author);
      expect(opening).not.toContain(WORDS);
      await page.getByRole('link', { name: 'Retract this etch…' }).click();
      await page.getByRole('button', { name: 'Retract it for good' }).click();
      await page.getByText('Retracted: the text is erased').waitFor();
    });
    const { round, ciphertext } = JSON.parse(opening) as { round: number; ciphertext: string };
    await visit(width, async ({ page, url, expecting }) => {
      const result = page.locator('[data-result]');
      const choose = (text: string) =>
        page.getByLabel('Drop an opening here').setInputFiles(file('opening.json', text));
      const openWith = async (signature: string): Promise<void> => {
        await page.getByLabel(SIGNATURE).fill(signature);
        await page.getByRole('button', { name: 'Open it with these' }).click();
      };
      await page.goto(url);
      await page.getByRole('link', { name: 'Verify', exact: true }).first().click();
      await page.getByRole('link', { name: 'Open a sealed etch' }).click();
      await page.getByText('Advanced: another relay').click();
      await page.getByLabel(RELAY).fill(beacon.url);
      await page.getByRole('button', { name: 'Open it with these' }).click();
      await result.getByText('Choose an opening first').waitFor();
      await choose('{"words": 1}');
      await result.getByText('Nothing was opened.').waitFor();
      await expecting({ status: 404 }, () => choose(opening));
      await result.getByText('It is still sealed.').waitFor();
      await openWith(beacon.sign(round - 1));
      await result.getByText('This is not the round’s signature.').waitFor();
      expect(await result.textContent()).not.toContain(WORDS);
      await page.getByLabel(SIGNATURE).fill('');
      await beacon.reach(round);
      await page.getByRole('button', { name: 'Open it with these' }).click();
      await result.getByText('It is open.').waitFor();
      expect(await result.locator('blockquote').innerText()).toBe(WORDS);
      await choose(opening.replace(JSON.stringify(ciphertext), JSON.stringify(`${ciphertext}x`)));
      await result.getByText('It was changed.').waitFor();
      expect(await result.locator('blockquote').count()).toBe(0);
    });
  });

  test('a reader without scripts learns which command opens the file', async () => {
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/open`);
        expect(await page.locator('noscript .note').innerText()).toContain('svc open opening.json --drand');
        expect(await page.getByLabel('Drop an opening here').isVisible()).toBe(false);
      },
      { javaScriptEnabled: false },
    );
  });
});

async function savedOpening({ page }: Visit): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the opening' }).click();
  return readFileSync(await (await saving).path(), 'utf8');
}
