// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { openUntil, signInFromHome } from '../../testing/browser/steps.ts';
import { writerWith } from '../../testing/system/author.ts';

const { ground, advance, utcField, visit } = useJourneys();
const OPEN_SECONDS = 1_800;
const QUESTION = 'Does the ferry sail on Sunday?';

// The journey of a challenge does the same with scripts.
describe.each(widths(390))('at %i px', (width) => {
  test('a person without scripts resolves a challenge in the inbox, which then is empty', async () => {
    const username = `ines${width}`;
    const { body } = await ground.world.client.call('POST', '/identity/dev-token', { body: { username } });
    await writerWith(ground.world, body.access_token).call('POST', '/api/v1/challenges', {
      question: `${QUESTION} [yes|no]`,
      category_id: 'other',
      reveal_at: `${utcField(OPEN_SECONDS)}.000Z`,
    });
    await advance(OPEN_SECONDS);
    await visit(
      width,
      async (person) => {
        const { page } = person;
        await signInFromHome(person, username);
        await openUntil(person, 'Inbox', 'Closed: resolve it');
        expect(await page.locator('main').innerText()).not.toContain('Since your last visit');
        await page.getByText('Say what came true').click();
        await page.getByLabel('yes', { exact: true }).check();
        await page.getByLabel('Source, where anyone can check it').fill('https://ferry.example.org/sunday');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('button', { name: 'Publish the outcome' }).click();
        await page.getByText('Your outcome is published.').waitFor();
        await openUntil(person, 'Inbox', 'Nothing yet.');
        expect(await page.locator('main').innerText()).not.toContain(QUESTION);
      },
      { javaScriptEnabled: false },
    );
  });
});
