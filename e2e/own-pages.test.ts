import { describe, expect, test } from 'vitest';
import { expectAccessible, expectReachable, expectToFit } from '../testing/browser/browser.ts';
import { signIn, utcField, writeEtch } from '../testing/browser/sign-in.ts';
import { rounds } from '../testing/rounds.ts';
import { usePages } from '../testing/browser/pages.ts';

// A person's own pages in a real browser: they read well at every size, and are reached by keyboard.
/** The other themes and widths with every rule as well. */
const AT_FULL_COUNT = rounds(0, 1) === 1;
const ground = usePages({ MIN_REVEAL_LEAD_SECONDS: '2' });

describe.concurrent('every page of one’s own', () => {
  test.each([
    { colorScheme: 'light' as const, viewport: { width: 1280, height: 900 } },
    { colorScheme: 'dark' as const, viewport: { width: 390, height: 800 } },
    ...(AT_FULL_COUNT ? [{ colorScheme: 'light' as const, viewport: { width: 320, height: 800 } }] : []),
  ])('reads well: %o', async (options) => {
    await ground.withTab(async ({ page }) => {
      const check = async (where: string): Promise<void> => {
        await expectAccessible(page, where, { look: options.viewport.width < 1280 && !AT_FULL_COUNT });
        await expectToFit(page, where);
        if (options.viewport.width === 1280) await expectReachable(page, where);
      };
      await page.goto(`${ground.world.url}/sign-in?problem=unreachable&return=/write`);
      await check('/sign-in');
      await signIn(page, ground.world.url, 'flo');
      const name = (await page.locator('.yours-bar a[href^="/u/"]').getAttribute('href'))!;
      const path = await writeEtch(page, ground.world.url, {
        content: `${'W'.repeat(300)} \u202e <b>`,
        description: 'A long word',
        revealAt: utcField(3_600),
      });
      await check(path);
      await page.getByRole('button', { name: 'Follow this etch' }).click();
      for (const own of [
        '/write',
        '/challenges/new',
        '/challenges',
        '/feed',
        '/watching',
        '/account',
        '/account?away=1',
        '/account/limits',
        '/account/agents',
        '/topics/science',
        `${path}/retract`,
        name,
      ]) {
        const response = await page.goto(ground.world.url + own);
        expect(response!.status(), own).toBe(200);
        expect(await page.locator('meta[name=robots]').getAttribute('content'), own).toBe('noindex');
        await check(own);
      }
      await page.goto(`${ground.world.url}/write`);
      await page.getByLabel('Your words').fill('W'.repeat(2_001));
      await page.getByRole('button', { name: 'See it once more' }).click();
      await page.getByText('Not done yet').waitFor();
      await check('/write, refused');
      await page.getByLabel('Your words').fill('W'.repeat(2_000));
      await page.getByRole('textbox', { name: 'Description' }).fill('L'.repeat(140));
      await page.getByLabel('Topic').selectOption('ai');
      await page.getByLabel('Public at once').check();
      await page.getByRole('button', { name: 'See it once more' }).click();
      await page.getByText('It cannot be edited.').waitFor();
      await check('the preview');
      await page.goto(`${ground.world.url}/account/keys`);
      await page.getByLabel('Name').fill('k'.repeat(64));
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.locator('.key-value').waitFor();
      await check('/account/keys');
      await page.goto(`${ground.world.url}/account`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      await check('/signed-out');
    }, options);
  });

  test('is reached by keyboard: a text is etched without a mouse', async () => {
    await ground.withTab(async ({ page }) => {
      await signIn(page, ground.world.url, 'gil', '/write');
      await page.getByLabel('Your words').focus();
      await page.keyboard.type('By keyboard.');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Without a mouse');
      // Past where files are dropped.
      const topic = page.locator('select:focus');
      for (let stops = 0; stops < 4 && (await topic.count()) === 0; stops++) await page.keyboard.press('Tab');
      await page.keyboard.type('Sci');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'See it once more' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Etch it' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('blockquote', { hasText: 'By keyboard.' }).waitFor();
    });
  });
});
