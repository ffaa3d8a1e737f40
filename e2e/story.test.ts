import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectTargets, expectToFit } from '../testing/browser/browser.ts';
import { signIn, utcField, writeEtch } from '../testing/browser/sign-in.ts';
import { signInAs } from '../testing/browser/steps.ts';
import { BROWSER, overall } from '../testing/browser/verdict.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { usePages } from '../testing/browser/pages.ts';
import { eventually, PATIENCE_MS } from '../testing/wait.ts';

const ground = usePages();

/** The test that waits for them moves the clock past it. */
const SEALED_SECONDS = 1_800;
const WAIT = { timeout: PATIENCE_MS };

const mark = (page: Page): Promise<void> => page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'marked' in window);

/** pages.test.ts and own-pages.test.ts check every page in every look. */
async function reads(page: Page): Promise<void> {
  await expectAccessible(page, page.url());
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectToFit(page, page.url());
    await expectTargets(page, page.url());
  }
}

let own: string;

test('a person signs in, etches, sees the anchoring live, and verifies it against the chain', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    await page.goto(ground.world.url);
    await reads(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Continue to sign in' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${ground.world.url}/`);
    await page.getByRole('link', { name: 'Write', exact: true }).click();
    await page.getByLabel('Your words').fill('The harbour light goes out on Friday. 🌊');
    await expect
      .poll(() => page.locator('[data-count=content]').textContent())
      .toBe('39 of 2,000 characters');
    await page.getByRole('textbox', { name: 'Description' }).fill('About the harbour light');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Public at once').check();
    await reads(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await reads(page);
    await page.getByRole('button', { name: 'Etch it' }).dblclick();
    await page.waitForURL('**/e/*');
    own = page.url().slice(ground.world.url.length);
    await mark(page);
    await page.locator('[data-part=standing] h2', { hasText: 'Anchored' }).waitFor(WAIT);
    expect(await isMarked(page)).toBe(true);
    await reads(page);
    await page.getByRole('link', { name: 'Verify it yourself' }).click();
    const shown = page.locator('[data-overall]', { hasText: 'Checked by your own browser' });
    await shown.waitFor(WAIT);
    expect(await shown.getAttribute('data-overall')).toBe('pass');
    await reads(page);
    await page.goto(`${ground.world.url}/u/ada`);
    expect(await page.locator('.etch').count()).toBe(1);
    await reads(page);
    expect(troubles).toEqual([]);
  });
  const file = join(newFolder('saved'), 'receipt.html');
  const placed = await eventually('the index of accounts has the etch', async () => {
    const { text } = await ground.world.client.call('GET', `${own}/receipt.html?index=1`);
    return text.includes('"entries":["') && text;
  });
  writeFileSync(file, placed);
  await ground.withTab(async ({ page, context }) => {
    await page.goto(pathToFileURL(file).href);
    expect(await overall(page, BROWSER)).toBe('unpinned');
    await page.locator('[data-check=index]', { hasText: 'No key that you gave signed' }).waitFor();
    const published = await (await fetch(`${ground.world.url}/.well-known/svc.json`)).text();
    await page.getByLabel('Values of the service (svc.json)').fill(published);
    expect(await overall(page, 'with the values that you entered')).toBe('pass');
    await page.locator('[data-check=index][data-verdict=pass]', { hasText: 'Etch 1 of 1' }).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('[data-overall=wait]').waitFor();
  });
});

describe.concurrent('a person', () => {
  test('searches, follows, and finds the etch on the watching page', async ({ expect }) => {
    await ground.withTab(async ({ page, troubles }) => {
      await signIn(page, ground.world.url, 'bea');
      await expect
        .poll(async () => {
          await page.goto(`${ground.world.url}/search?q=harbour+light`);
          return page.locator('.etch').count();
        }, WAIT)
        .toBe(1);
      await page.getByRole('link', { name: 'About the harbour light' }).click();
      await page.getByRole('button', { name: 'Follow this etch' }).click();
      await page.getByRole('button', { name: 'Stop following this etch' }).waitFor();
      await page.goto(`${ground.world.url}/u/ada`);
      await page.getByRole('button', { name: 'Follow this account' }).click();
      await page.getByRole('link', { name: 'Watching' }).click();
      await page.getByRole('link', { name: 'About the harbour light' }).waitFor();
      await page.getByRole('link', { name: 'Feed', exact: true }).click();
      await page.getByText('that you follow rank higher').waitFor();
      expect(troubles).toEqual([]);
    });
  });

  test('does everything without scripts', async () => {
    await ground.withTab(
      async ({ page, requests, troubles }) => {
        await signIn(page, ground.world.url, 'dora');
        const path = await writeEtch(page, ground.world.url, {
          content: 'Written by hand.\n\nTwice.',
          description: 'Without scripts',
          revealAt: utcField(3_600),
        });
        await page.getByRole('button', { name: 'Follow this etch' }).click();
        await page.getByRole('button', { name: 'Stop following this etch' }).waitFor();
        await page.goto(`${ground.world.url}${path}/retract`);
        await page.getByRole('button', { name: 'Retract it for good' }).click();
        await page.getByText('Retracted').first().waitFor();
        await page.goto(`${ground.world.url}/account`);
        await page.getByLabel('Display name').fill('Dora of the rocks');
        await page.getByRole('button', { name: 'Save the display name' }).click();
        await page.getByText('Your display name is changed').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByText('You are signed out').waitFor();
        expect(requests.filter((url) => url.endsWith('.js'))).toEqual([]);
        expect(troubles).toEqual([]);
      },
      { javaScriptEnabled: false },
    );
  });

  // Cheaper tests: packages/server/test/pages and packages/web/test.
  if (AT_FULL_COUNT) {
    test('keeps an open draft when the session ends', async () => {
      await ground.withTab(async ({ page, context }) => {
        await signIn(page, ground.world.url, 'cara', '/write');
        await page.getByLabel('Your words').fill('Half a thought, kept.');
        await page.getByRole('textbox', { name: 'Description' }).fill('A thought');
        await page.getByLabel('Topic').selectOption('personal');
        await page.getByLabel('Public at once').check();
        const other = await context.newPage();
        await other.goto(`${ground.world.url}/account`);
        await other.getByRole('button', { name: 'Sign out' }).click();
        await other.getByText('You are signed out').waitFor();
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('button', { name: 'Sign in and etch it' }).click();
        await signInAs(page, 'cara');
        await page.getByRole('button', { name: 'Etch it' }).click();
        await page.locator('blockquote', { hasText: 'Half a thought, kept.' }).waitFor();
      });
    });

    test('picks a date in local time, which is sent in UTC', async () => {
      await ground.withTab(
        async ({ page }) => {
          await signIn(page, ground.world.url, 'emi', '/write');
          await page.getByLabel('Sealed until a date').check();
          await page.getByLabel('Opens at (Asia/Tokyo time)').fill('2031-05-01T08:30');
          await page.getByText('30 April 2031, 23:30 UTC').waitFor();
          expect(await page.locator('[name=reveal_at]').inputValue()).toBe('2031-04-30T23:30');
        },
        { timezoneId: 'Asia/Tokyo' },
      );
    });
  }
});

test('a person seals a text and sees it open at its time', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    await signIn(page, ground.world.url, 'ada');
    const words = 'It was the gull that took it.';
    await writeEtch(page, ground.world.url, {
      content: words,
      description: 'Who took the key',
      revealAt: utcField(SEALED_SECONDS),
    });
    expect(await page.locator('body').textContent()).not.toContain(words);
    await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
    await mark(page);
    await ground.clock.advance(SEALED_SECONDS);
    await page.locator('blockquote', { hasText: words }).waitFor(WAIT);
    expect(await isMarked(page)).toBe(true);
    expect(troubles).toEqual([]);
  });
});

test('a person opens a challenge and answers it; all answers open when it closes', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    await signIn(page, ground.world.url, 'ada', '/challenges/new');
    await page.getByLabel('Free text').check();
    await page.getByLabel('The question').fill('When does the first swallow come?');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Closes at (UTC)').fill(utcField(2 * SEALED_SECONDS + SEALED_SECONDS / 2));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Ask it' }).click();
    await page.waitForURL('**/ch/*');
    const challenge = page.url();
    for (const name of ['ada', 'bea']) {
      await ground.withTab(async ({ page: theirs }) => {
        await signIn(theirs, ground.world.url, name);
        await theirs.goto(challenge);
        await theirs.getByLabel('Your answer in words').fill(`On the tenth, says ${name}`);
        await theirs.getByRole('button', { name: 'Preview' }).click();
        await theirs.getByRole('button', { name: 'Seal it' }).click();
        await theirs.waitForURL('**/e/*');
      });
    }
    await page.goto(challenge);
    expect(await page.locator('body').textContent()).not.toContain('On the tenth');
    await mark(page);
    await ground.clock.advance(2 * SEALED_SECONDS);
    await page.getByText('Closed', { exact: true }).first().waitFor(WAIT);
    expect(await isMarked(page)).toBe(true);
    for (const name of ['ada', 'bea']) await page.getByText(`On the tenth, says ${name}`).waitFor(WAIT);
    expect(troubles).toEqual([]);
  });
});

test('a person retracts an etch and sees the tombstone anchored', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    await signIn(page, ground.world.url, 'ada');
    await page.goto(ground.world.url + own);
    await page.getByRole('link', { name: 'Retract this etch…' }).click();
    await page.getByRole('button', { name: 'Retract it for good' }).click();
    await page.waitForURL(ground.world.url + own);
    await page.getByText('Retracted: the text is erased, the proof of its hash remains').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('goes out on Friday');
    await mark(page);
    await page.getByText('Its erasure was recorded on the chain by').waitFor(WAIT);
    expect(await isMarked(page)).toBe(true);
    expect(troubles).toEqual([]);
  });
});
