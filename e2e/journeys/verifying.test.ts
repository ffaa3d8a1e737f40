import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { BROWSER, overall } from '../../testing/browser/verdict.ts';
import { registerAgent } from '../../testing/clients/agents.ts';
import { writerWith } from '../../testing/system/author.ts';

const { ground, visit } = useJourneys();
let etch: { id: string; code: string; hash: string };

beforeAll(async () => {
  const writer = writerWith(ground.world, (await registerAgent(ground.world.client, {})).key);
  etch = await writer.etch({
    content: 'svc-forecast:v1 yes=0.72\nThe swifts are early.',
    description: 'Whether the swifts come before May',
  });
  await writer.anchored(etch.id);
});

describe.each(widths(390))('at %i px', (width) => {
  test('a reader without scripts verifies a hash, and reads the words', async () => {
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/verify`);
        const field = page.getByLabel('A link, a hash or a code of an etch');
        await field.fill('00'.repeat(32));
        await page.getByRole('button', { name: 'Verify' }).click();
        await page.getByText('Nothing here has this link, hash or code.').waitFor();
        await field.fill('00'.repeat(31));
        await page.getByRole('button', { name: 'Verify' }).click();
        await page.getByText('A hash has 64 digits; this has 62.').waitFor();
        await field.fill('{"_format": "svc-receipt"}');
        await page.getByRole('button', { name: 'Verify' }).click();
        await page.getByText('A browser with scripts checks a receipt.').waitFor();
        for (const typed of [`${url}/e/${etch.code}`, etch.code, etch.hash]) {
          await page.goto(`${url}/verify`);
          await field.fill(typed);
          await page.getByRole('button', { name: 'Verify' }).click();
          await page.waitForURL(/\/e\/[\w-]+\/verify$/);
        }
        await page.locator('blockquote', { hasText: 'The swifts are early.' }).waitFor();
        const text = await page.locator('main').innerText();
        expect(text).toMatch(/72\s% chance of yes/);
        expect(text).not.toContain('svc-forecast');
      },
      { javaScriptEnabled: false },
    );
  });

  test('a reader pastes a link, hears only the verdict, and reads words without syntax', async () => {
    await visit(width, async ({ page, url }) => {
      await page.goto(`${url}/verify`);
      await page.getByLabel('A link, a hash or a code of an etch').fill(`${url}/e/${etch.code}`);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.waitForURL('**/e/*/verify');
      expect(await overall(page, BROWSER)).toBe('pass');
      const said = page.locator('[data-verify] [role=status]');
      expect(await said.allTextContents()).toEqual(['The words match. Every check passed.']);
      await page.getByText('Forecast: yes 72 %').waitFor();
      await page.locator('blockquote', { hasText: 'The swifts are early.' }).waitFor();
      const shown = await page.locator('[data-result]').innerText();
      expect(shown).not.toContain('svc-forecast');
      const answer = await page.request.get(`${url}/api/v1/etches/${etch.id}/receipt`);
      await page.goto(`${url}/verify`);
      await page
        .locator('#receipt-file')
        .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: await answer.body() });
      expect(await overall(page, BROWSER)).toBe('pass');
      expect(await said.allTextContents()).toEqual(['The words match. Every check passed.']);
      const pasted = JSON.stringify(await answer.json(), null, 2);
      for (const [text, verdict] of [
        [pasted, 'pass'],
        [pasted.replace('early', 'late'), 'fail'],
      ] as const) {
        await page.goto(`${url}/verify`);
        await page.getByLabel('the text of a receipt').fill(text);
        await page.getByRole('button', { name: 'Verify' }).click();
        expect(await overall(page, BROWSER)).toBe(verdict);
      }
    });
  });
});
