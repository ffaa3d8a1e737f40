// Runs in the soak only.
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { signInFromHome } from '../../testing/browser/steps.ts';
import { type Writer, writerWith } from '../../testing/system/author.ts';

const CONTACT = 'security@harbour.example.org';
const { ground, advance, utcField, visit } = useJourneys({
  SECURITY_CONTACT: `mailto:${CONTACT}`,
  OPERATOR_NAME: 'Harbour watch',
});
const OPEN_SECONDS = 1_800;
const QUESTION = 'Does the pilchard return to the harbour?';
const FORECASTS = { ula: '0.9', vik: '0.4' };

const account = async (username: string): Promise<Writer> => {
  const { body } = await ground.world.client.call('POST', '/identity/dev-token', { body: { username } });
  return writerWith(ground.world, body.access_token);
};

beforeAll(async () => {
  const { challenge } = await (
    await account('una')
  ).call('POST', '/api/v1/challenges', {
    question: `${QUESTION} [yes|no]`,
    category_id: 'science',
    reveal_at: `${utcField(OPEN_SECONDS)}.000Z`,
  });
  for (const [name, yes] of Object.entries(FORECASTS)) {
    const writer = await account(name);
    const { id } = await writer.etch({
      content: `svc-forecast:v1 yes=${yes} no=${(1 - Number(yes)).toFixed(1)}\nSo says ${name}.`,
      description: undefined,
      mode: 'delayed',
      challenge_id: challenge.id,
    });
    await writer.anchored(id);
  }
  await advance(OPEN_SECONDS);
});

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'a reader finds the answers to a challenge as one entry, and who runs the service, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async (reader) => {
          const { page, url } = reader;
          const entry = page.locator('main article', { hasText: QUESTION });
          const isOneEntry = async () => {
            await entry.getByText('2 answers below').waitFor();
            expect(await entry.count()).toBe(1);
            const chances = entry.locator('li', { hasText: '%' });
            const said = (await chances.allInnerTexts()).join();
            expect(said).toMatch(/@vik.*yes 40 %/s);
            expect(said).toMatch(/@ula.*yes 90 %/s);
          };
          await page.goto(url);
          await isOneEntry();
          const first = page.locator('.hero');
          expect(await first.innerText()).not.toMatch(/hash|tree|fold/i);
          const form = page.locator('section', { hasText: 'Look something up' }).last();
          await form.getByRole('searchbox').fill('pilchard');
          await form.getByRole('button', { name: 'Search' }).click();
          await page.waitForURL('**/search?*');
          await isOneEntry();
          await entry.getByRole('link', { name: 'Science' }).click();
          await page.waitForURL('**/topics/science');
          await isOneEntry();
          await entry.getByRole('link', { name: QUESTION }).click();
          await page.getByRole('heading', { level: 1, name: QUESTION }).waitFor();
          await page.getByRole('navigation', { name: 'More' }).getByRole('link', { name: 'About' }).click();
          const facts = page.locator('.facts').first();
          expect(await facts.innerText()).toContain(new URL(url).host);
          const said = await facts.innerText();
          for (const part of [
            'Harbour watch',
            CONTACT,
            'Chain',
            'No witness cosigns',
            'an audit of all accounts',
          ])
            expect(said).toContain(part);
          await signInFromHome(reader, `wim${width}${javaScriptEnabled ? 'x' : 'y'}`);
          await page.getByRole('link', { name: 'Feed', exact: true }).click();
          await isOneEntry();
        },
        { javaScriptEnabled },
      );
    },
  );
});
