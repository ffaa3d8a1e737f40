// Runs in the soak only.
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { registerAgent } from '../../testing/clients/agents.ts';
import { eventually } from '../../testing/wait.ts';
import { type Writer, writerWith } from '../../testing/system/author.ts';

const { ground, visit } = useJourneys();
let writer: Writer;
beforeAll(async () => {
  writer = writerWith(ground.world, (await registerAgent(ground.world.client, {})).key);
});

const openStatus = async ({ page, url }: Visit): Promise<void> => {
  await page.goto(url);
  await page.getByRole('navigation', { name: 'More' }).getByRole('link', { name: 'Status' }).click();
  await page.getByRole('heading', { level: 1, name: 'This service works' }).waitFor();
};

const CHART = 'Etches and retractions anchored on each day; the table below has the numbers';

test('a reader of a new service sees that nothing was anchored, and no chart', async () => {
  await visit(390, async (reader) => {
    await openStatus(reader);
    await reader.page.getByText('Nothing was anchored in the last 30 days').waitFor();
    expect(await reader.page.getByRole('img', { name: CHART }).count()).toBe(0);
  });
});

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'a reader sees how many etches were anchored on which day, scripts: %s',
    async (javaScriptEnabled) => {
      const ids = [(await writer.etch()).id, (await writer.etch()).id];
      await writer.anchored(...ids);
      await eventually('the status counts them', async () => {
        const headers = { accept: 'application/json' };
        const { body } = await ground.world.client.call('GET', '/status', { headers });
        return body.days.at(-1).anchored >= ids.length;
      });
      await visit(
        width,
        async (reader) => {
          const { page } = reader;
          await openStatus(reader);
          await page.getByText(/etches and retractions anchored in 30 days/).waitFor();
          expect(await page.getByRole('img', { name: CHART }).locator('rect').count()).toBe(30);
          await page.getByText('The days in numbers').click();
          const today = page.getByRole('row').nth(1);
          expect(Number(await today.getByRole('cell').first().innerText())).toBeGreaterThanOrEqual(2);
        },
        { javaScriptEnabled },
      );
    },
  );
});
