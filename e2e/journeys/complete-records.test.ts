// Runs in the soak only.
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { newAuthor } from '../../testing/system/author.ts';
import { eventually } from '../../testing/wait.ts';

const { ground, visit } = useJourneys();
let [username, userId] = ['', ''];
beforeAll(async () => {
  const author = await newAuthor(ground.world);
  const made = [
    await author.etch({ content: 'The dike holds.' }),
    await author.etch({ content: 'It broke.' }),
  ];
  const [etch] = await author.anchored(...made.map(({ id }) => id));
  ({ username, user_id: userId } = etch.author);
  await author.call('POST', `/api/v1/etches/${made[1].id}/retract`);
  await eventually('the index has the etches and the retraction', async () => {
    const answer = await fetch(`${ground.world.url}/log/index/${userId}`);
    return answer.ok && (await answer.json()).count === 3;
  });
});

describe.each(widths(390))('at %i px', (width) => {
  test('a reader checks that a record leaves nothing out, and again later', async () => {
    await visit(width, async ({ page, url }) => {
      await page.goto(`${url}/u/${username}`);
      const check = page.getByRole('button', { name: 'Check that nothing is left out' });
      const verdict = page.locator('[data-verdict]');
      await check.click();
      await verdict.waitFor();
      expect(await verdict.getAttribute('data-verdict')).toBe('operator');
      const said = await verdict.textContent();
      expect(said).toContain('nobody whom you named has recomputed it');
      expect(said).toContain('The record has 2 of 2 etches of the index: 0 sealed, 1 retracted.');
      expect(said).toContain('This is the first audit of the account by index');
      await check.click();
      await page.locator('[data-verdict]', { hasText: 'that an earlier audit kept' }).waitFor();
    });
  });

  test('an answer that leaves out an etch is named', async () => {
    await visit(width, async ({ page, url }) => {
      await page.route('**/api/v1/users/*/etches?*', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        return route.fulfill({ response: answer, json: { ...body, etches: body.etches.slice(1) } });
      });
      await page.goto(`${url}/u/${username}`);
      await page.getByRole('button', { name: 'Check that nothing is left out' }).click();
      await page.locator('[data-verdict=fail]', { hasText: 'and the record leaves it out' }).waitFor();
    });
  });

  test('an index that is being rebuilt is no fault, and the page says when to try again', async () => {
    await visit(width, async ({ page, url, expecting }) => {
      const json = { error: { code: 'service_unavailable', message: 'the index of accounts is being read' } };
      await page.route('**/log/index/*', (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '10' }, json }),
      );
      await page.goto(`${url}/u/${username}`);
      await expecting({ status: 503 }, () =>
        page.getByRole('button', { name: 'Check that nothing is left out' }).click(),
      );
      await page.locator('[data-verdict=wait]', { hasText: 'try again in 10 seconds' }).waitFor();
    });
  });

  test('the page without scripts has no button', async () => {
    await visit(
      width,
      async ({ page, url }) => {
        await page.goto(`${url}/u/${username}`);
        expect(await page.getByRole('button', { name: 'Check that nothing is left out' }).count()).toBe(0);
      },
      { javaScriptEnabled: false },
    );
  });
});
