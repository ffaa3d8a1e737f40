// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { openUntil, signInFromHome } from '../../testing/browser/steps.ts';
import { writerWith } from '../../testing/system/author.ts';

const { ground, advance, utcField, visit } = useJourneys();
const OPEN_SECONDS = 1_800;
const QUESTION = 'Does the ferry sail on Sunday?';
const CRITERIA = 'It leaves the quay before noon.';
const SOURCE = 'https://ferry.example.org';

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'a task stays in the inbox when the news is read, until it is resolved there, scripts: %s',
    async (javaScriptEnabled) => {
      const username = `ines${width}${javaScriptEnabled ? 'a' : 'b'}`;
      const { body } = await ground.world.client.call('POST', '/identity/dev-token', { body: { username } });
      await writerWith(ground.world, body.access_token).call('POST', '/api/v1/challenges', {
        question: `${QUESTION} Criteria: ${CRITERIA} Source: ${SOURCE} [yes|no]`,
        category_id: 'other',
        reveal_at: `${utcField(OPEN_SECONDS)}.000Z`,
      });
      await advance(OPEN_SECONDS);
      await visit(
        width,
        async (person) => {
          const { page } = person;
          await signInFromHome(person, username);
          await openUntil(person, 'Inbox', 'Mark all as read');
          expect(await page.locator('main').innerText()).not.toContain('Since your last visit');
          await page.getByRole('button', { name: 'Mark all as read' }).click();
          await page.getByText('Marked as read.').waitFor();
          await page.getByText('Nothing since then.').waitFor();
          await page.getByRole('heading', { name: '1 to resolve' }).waitFor();
          await page.getByText('Resolve', { exact: true }).click();
          await page.getByText(CRITERIA).waitFor();
          const source = page.getByLabel('Source, where anyone can check it');
          expect(await source.inputValue()).toBe(SOURCE);
          await source.fill(`${SOURCE}/sunday`);
          await page.getByLabel('yes', { exact: true }).check();
          await page.getByRole('button', { name: 'Preview' }).click();
          await page.getByRole('button', { name: 'Publish the outcome' }).click();
          await page.getByText('Your outcome is published.').waitFor();
          await openUntil(person, 'Inbox', 'Nothing since then.');
          expect(await page.locator('main').innerText()).not.toContain(QUESTION);
        },
        { javaScriptEnabled },
      );
    },
  );
});
