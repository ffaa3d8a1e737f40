import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { askedBy, seeAllNews, type Stage, untilShown } from './story.ts';

export async function storyByKeyboard(first: Page, stage: Stage, scripts: boolean): Promise<void> {
  let page = first;
  const { world } = stage;
  const name = `Keys ${scripts ? 'and scripts' : 'alone'}`;
  const to = async (called: RegExp): Promise<void> => {
    for (let presses = 0; presses < 150; presses++) {
      await page.keyboard.press('Tab');
      if (called.test(await focused(page))) return;
    }
    throw new Error(`Tab never comes to ${called} on ${page.url()}`);
  };
  const press = async (called: RegExp, arrives?: string | RegExp): Promise<void> => {
    await to(called);
    await page.keyboard.press('Enter');
    if (arrives !== undefined) await page.waitForURL(arrives);
  };
  const seal = async (): Promise<string> => {
    await press(/^Preview$/);
    await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
    await press(/^Seal it$/, '**/e/*');
    return page.url();
  };

  await page.goto(world.url);
  await press(/^Verify it now$/, '**/e/*/verify');
  await press(/^Commitment Service$/, `${world.url}/`);
  await press(/^Write an etch$/, /\/sign-in\?/);
  await press(/^Continue to sign in$/, '**/interaction/*');
  await page.locator('input:focus').waitFor();
  expect(await focused(page)).toMatch(/^Name/);
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/write');
  const words = 'By keyboard, from the first page to the last.';
  await to(/^Your words/);
  await page.keyboard.type(words);
  if (scripts) {
    const other = await page.context().newPage();
    await page.close({ runBeforeUnload: false });
    page = other;
    await page.goto(world.url);
    await page.getByRole('link', { name: words }).waitFor();
    await press(new RegExp(`^${words}$`), /\/write#draft=/);
    await page.getByText('is back.').waitFor();
    expect(await page.getByLabel('Your words').inputValue()).toBe(words);
  }
  await to(/^Description/);
  await page.keyboard.type('By keyboard alone');
  await to(/^Topic/);
  await page.keyboard.type('Sci');
  await to(/^Public at once/);
  await page.keyboard.press('ArrowDown');
  await to(/^at a date of my own/);
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('in a day');
  const etch = await seal();
  await page.locator('.words-absent.sealed').waitFor();
  await press(/^Follow this etch$/);
  await page.getByRole('button', { name: 'Stop following this etch' }).waitFor();

  const challenge = await askedBy(stage, `How many by ${name}?`, ['12']);
  await press(/^Challenges$/, '**/challenges');
  await press(new RegExp(`^How many by ${name}`), challenge.url);
  await press(/^Answer it$/, /\/write\?challenge=/);
  await to(/^Your words/);
  await page.keyboard.type('17');
  await seal();
  const inbox = page.getByRole('link', { name: /^Inbox/ });
  await untilShown('the answer opened', () => page.reload(), inbox.getByText(/new$/));
  await press(/^Inbox/, '**/inbox');
  await seeAllNews(page, () => press(/^Mark all as read$/));

  await press(/^Account$/, '**/account');
  const saving = page.waitForEvent('download');
  await press(/^Download record and receipts$/);
  expect((await saving).suggestedFilename()).toMatch(/\.ndjson$/);
  await page.goto(etch);
  await press(/^Retract this etch…$/, '**/retract');
  await press(/^Retract it for good$/, etch);
  await page.locator('#standing', { hasText: 'Retracted: the text is erased' }).waitFor();
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    const said = at?.labels?.[0]?.textContent ?? at?.textContent ?? '';
    return said.replace(/\s+/g, ' ').trim();
  });
