// Runs in the soak only.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startBeacon } from '../testing/beacon/start-beacon.ts';
import {
  expectAccessible,
  expectLight,
  expectReachable,
  expectSteady,
  expectTargets,
  expectToFit,
  type Look,
  withLargeText,
} from '../testing/browser/browser.ts';
import { signIn, utcField, writeEtch } from '../testing/browser/sign-in.ts';
import { usePages } from '../testing/browser/pages.ts';
import type { Json } from '../testing/json.ts';
import { newAuthor, writerWith } from '../testing/system/author.ts';
import { eventually, inSeconds } from '../testing/wait.ts';

const WIDE: Look = { colorScheme: 'light', viewport: { width: 1280, height: 900 } };
const DARK: Look = { colorScheme: 'dark', viewport: { width: 390, height: 800 } };
const FORCED: Look = { colorScheme: 'light', forcedColors: 'active', viewport: { width: 320, height: 800 } };
let open: Json;
let closed: Json;
const ground = usePages(async () => {
  const beacon = ground.keep(await startBeacon({ genesis: 1_700_000_000, period: 1 }));
  return { MIN_REVEAL_LEAD_SECONDS: '2', ...beacon.settings };
}, seed);

/** A challenge to answer, and one that Flo must resolve. */
async function seed(): Promise<void> {
  const { client } = ground.world;
  const { body } = await client.call('POST', '/identity/dev-token', { body: { username: 'flo' } });
  const [flo, other] = [writerWith(ground.world, body.access_token), await newAuthor(ground.world)];
  const asked = { category_id: 'science', reveal_at: inSeconds(86_400) };
  const question = 'Which town floods first? [Bingen|Mainz|Worms]';
  ({ challenge: open } = await other.call('POST', '/api/v1/challenges', { ...asked, question }));
  ({ challenge: closed } = await flo.call('POST', '/api/v1/challenges', {
    ...asked,
    question: 'How high does the river rise? [number: cm]',
    reveal_at: inSeconds(5),
  }));
  await eventually('the challenge closes', async () => {
    const found = await client.call('GET', `/api/v1/challenges/${closed.id}`);
    return found.body.challenge.closed === true;
  });
}

describe.concurrent('every page of a signed-in person', () => {
  test.each([WIDE, DARK, FORCED])('reads well: %o', async (look) => {
    await ground.withTab(async ({ page }) => {
      const check: Check = async (where, isNewPage = true) => {
        await expectToFit(page, where);
        await expectTargets(page, where);
        if (isNewPage) await expectSteady(page, where);
        await expectAccessible(page, where);
        await withLargeText(page, () => expectToFit(page, `${where}, text at 200 %`));
        if (look !== WIDE) return;
        await expectLight(page, where);
        await expectReachable(page, where);
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
      await page.goto(ground.world.url);
      await page.getByRole('heading', { name: '1 to resolve' }).waitFor();
      await check('/');
      const inbox = async (): Promise<string> => {
        await page.goto(`${ground.world.url}/inbox`);
        return page.locator('main').innerText();
      };
      await expect.poll(inbox).toContain('to resolve');
      for (const own of [
        '/write',
        `/write?challenge=${open.id}`,
        '/challenges/new',
        `/ch/${closed.id}/resolve`,
        '/write?kind=preregistration',
        '/challenges',
        '/feed',
        '/watching',
        '/inbox',
        '/account',
        '/account?away=1',
        '/account/limits',
        '/account/agents',
        '/account/webhooks',
        '/topics/science',
        `${path}/retract`,
        name,
      ]) {
        const response = await page.goto(ground.world.url + own);
        expect(response!.status(), own).toBe(200);
        expect(await page.locator('meta[name=robots]').getAttribute('content'), own).toBe('noindex');
        await check(own);
      }
      await page.goto(`${ground.world.url}/ch/${open.id}`);
      await check('an open challenge');
      const article = page.locator('article.asked');
      const whole = (await article.boundingBox())!.x;
      const html = await (await page.request.get(page.url())).text();
      const begun = html.slice(0, html.indexOf('<section class="card" aria-labelledby="answer"'));
      await page.route(page.url(), (route) => route.fulfill({ contentType: 'text/html', body: begun }));
      await page.reload();
      expect((await article.boundingBox())!.x, 'while the answer form loads').toBe(whole);
      await page.unroute(page.url());
      await page.goto(`${ground.world.url}/write`);
      await page.getByLabel('Your words').fill('W'.repeat(2_001));
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Not done yet').waitFor();
      await check('/write, refused');
      const date = page.getByLabel('Opens at (UTC)');
      expect(await date.isVisible()).toBe(false);
      await page.getByLabel('Sealed until a date').check();
      expect(await date.isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('link', { name: 'Set the time at which it opens.' }).waitFor();
      expect(await page.locator('.problem a').allTextContents()).toEqual([
        'Your words must have at most 2,000 characters.',
        'Write a description.',
        'Choose a topic.',
        'Set the time at which it opens.',
      ]);
      await check('/write, refused once more');
      await page.getByLabel('Your words').fill('W'.repeat(2_000));
      await page.getByRole('textbox', { name: 'Description' }).fill('L'.repeat(140));
      await page.getByLabel('Topic').selectOption('ai');
      await page.getByLabel('Public at once').check();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('It cannot be edited.').waitFor();
      await check('the preview');
      await checkPreviews(page, check);
      await page.goto(`${ground.world.url}/inbox`);
      await page.getByText('Resolve', { exact: true }).click();
      await check('/inbox, with its form open');
      await page.goto(`${ground.world.url}/account/keys`);
      await page.getByLabel('Name').fill('k'.repeat(64));
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.locator('.key-value').waitFor();
      await check('/account/keys');
      await page.goto(`${ground.world.url}/account`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      await check('/signed-out');
      await checkBlindPreview(page, check);
    }, look);
  });

  test('begins with the kind, and shows all of the words on the first screen of a phone', async () => {
    for (const javaScriptEnabled of [true, false])
      await ground.withTab(
        async ({ page }) => {
          await signIn(page, ground.world.url, 'ivy', '/write');
          const words = (await page.getByLabel('Your words').boundingBox())!;
          expect(words.y + words.height).toBeLessThan(844);
          const chance = page.getByLabel('yes', { exact: true });
          expect(await chance.isVisible()).toBe(false);
          await page.getByLabel('Forecast', { exact: true }).check();
          expect(await chance.isVisible()).toBe(true);
          await page.goto(`${ground.world.url}/write?kind=files`);
          const add = page.getByText('Add files…');
          expect(await add.isVisible()).toBe(javaScriptEnabled);
          expect(await page.locator('.as-files noscript .hint').isVisible()).toBe(!javaScriptEnabled);
        },
        { javaScriptEnabled, viewport: { width: 390, height: 844 } },
      );
  });

  test('keeps a draft until it is etched, and asks before leaving', async () => {
    await ground.withTab(async ({ page, troubles }) => {
      await signIn(page, ground.world.url, 'kim', '/write');
      await page.getByLabel('Your words').pressSequentially('The heron comes back.');
      await page.getByRole('textbox', { name: 'Description' }).fill('About the heron');
      await page.getByLabel('Sealed until a date').check();
      await page.getByLabel('in a month').check();
      expect(await page.getByLabel('Opens at (UTC)').inputValue()).toMatch(/^\d{4}-/);
      await expectAccessible(page, '/write, with a draft');
      await page.goto(ground.world.url).catch(() => undefined);
      expect(troubles).toEqual([expect.stringContaining('dialog')]);
      expect(await page.getByLabel('Your words').inputValue()).toBe('The heron comes back.');
      // The first tab disappears without a warning, as in a power cut.
      const other = await page.context().newPage();
      await page.close({ runBeforeUnload: false });
      await other.goto(ground.world.url);
      await expectAccessible(other, '/, with a draft');
      await other.getByRole('link', { name: 'The heron comes back.' }).click();
      await other.getByText('is back.').waitFor();
      expect(await other.getByLabel('Your words').inputValue()).toBe('The heron comes back.');
      await other.getByRole('button', { name: 'Preview' }).click();
      await other.getByText('Not done yet').waitFor();
      await other.getByLabel('Topic').selectOption('science');
      await other.getByRole('button', { name: 'Preview' }).click();
      await other.route('**/write', (route) => route.abort());
      await other.getByRole('button', { name: 'Seal it' }).click();
      await other.unroute('**/write');
      await other.goto(`${ground.world.url}/write`);
      await other.getByText('is back.').waitFor();
      await other.getByRole('button', { name: 'Preview' }).click();
      await other.getByRole('button', { name: 'Seal it' }).click();
      await other.waitForURL('**/e/*');
      await other.goto(`${ground.world.url}/write`);
      expect(await other.getByLabel('Your words').inputValue()).toBe('');
      expect(await other.evaluate(() => localStorage.length)).toBe(0);
    });
  });

  test('warns when the service stores a different time than the form sent', async () => {
    await ground.withTab(async ({ page }) => {
      const write = async (): Promise<void> => {
        await page.goto(`${ground.world.url}/write`);
        await page.locator('#content').fill('Herons come back.\nIn March.');
        await page.locator('#description').fill('About herons');
        await page.locator('[name=mode][value=delayed]').check();
        await page.locator('#category_id').selectOption('science');
        await page.locator('#reveal_at').fill('2099-01-02T03:04');
        await page.locator('button[value=preview]').click();
        await page.locator('button[value=etch]').click();
        await page.waitForURL('**/e/*');
      };
      const compared = (): Promise<unknown> =>
        page.waitForResponse((answer) => /json/.test(answer.headers()['content-type'] ?? ''));
      await signIn(page, ground.world.url, 'eve');
      const [honest] = await Promise.all([compared(), write()]);
      expect(honest).toBeDefined();
      expect(await page.locator('.problem').allTextContents()).toEqual([]);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);

      await page.route(/\/e\/[0-9a-f-]+$/, async (route) => {
        if (route.request().headers()['accept'] !== 'application/json') return route.continue();
        const response = await route.fetch();
        const answer = await response.json();
        answer.etch.reveal_at = '2099-01-02T03:04:06.000Z';
        return route.fulfill({ response, json: answer });
      });
      await write();
      const warning = page.getByRole('alert').filter({ hasText: 'different from what you sent' });
      await warning.getByText('etch.reveal_at is "2099-01-02T03:04:06.000Z"').waitFor();
      await expectAccessible(page, 'an etch that differs from the sent form');
      const saved = page.waitForEvent('download');
      await warning.getByRole('link', { name: 'Save the answer as evidence' }).click();
      expect((await saved).suggestedFilename()).toBe('answer.json');
    });
  });

  test('a closed challenge draws its answers, with local times', async () => {
    const asker = await newAuthor(ground.world);
    const answers = ['12', '14.5', '17', 'a few'];
    const authors = await Promise.all(answers.map(() => newAuthor(ground.world)));
    const reveal = new Date(Date.now() + 12_000).toISOString();
    const asked = { question: 'How many herons?', category_id: 'science', reveal_at: reveal };
    const { challenge } = await asker.call('POST', '/api/v1/challenges', asked);
    for (const [at, content] of answers.entries())
      await authors[at]!.etch({ mode: 'delayed', challenge_id: challenge.id, content });
    await ground.withTab(
      async ({ page, troubles }) => {
        await page.goto(`${ground.world.url}/ch/${challenge.id}`);
        await page.getByRole('row', { name: '12 to 13 1' }).waitFor();
        await page.reload();
        expect(await page.locator('.answer .words.large').allTextContents()).toEqual([
          'a few',
          '17',
          '14.5',
          '12',
        ]);
        const closed = page.locator('.facts', { hasText: 'Closed' });
        expect(await closed.locator('.own-time').textContent()).toMatch(/\d{4}, \d\d:\d\d [A-Z]/);
        await expectAccessible(page, 'a closed challenge');
        await expectToFit(page, 'a closed challenge');
        await expectTargets(page, 'a closed challenge');
        await page.goto(`${ground.world.url}/challenges?status=closed`);
        await page
          .locator('.card .from-now', { hasText: /ago|just now/ })
          .first()
          .waitFor();
        expect(troubles).toEqual([]);
      },
      { colorScheme: 'dark', viewport: { width: 390, height: 800 }, timezoneId: 'Asia/Tokyo' },
    );
    await ground.withTab(
      async ({ page }) => {
        await page.goto(`${ground.world.url}/ch/${challenge.id}`);
        expect(await page.locator('.said table').count()).toBe(1);
        expect(await page.locator('time', { hasText: 'UTC' }).count()).toBeGreaterThan(0);
        expect(await page.locator('.own-time').count()).toBe(0);
      },
      { javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' },
    );
  });

  test('etches a text by keyboard', async () => {
    await ground.withTab(async ({ page }) => {
      await signIn(page, ground.world.url, 'gil', '/write');
      await page.getByLabel('Your words').focus();
      await page.keyboard.type('By keyboard.');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Without a mouse');
      const topic = page.locator('select:focus');
      for (let stops = 0; stops < 4 && (await topic.count()) === 0; stops++) await page.keyboard.press('Tab');
      await page.keyboard.type('Sci');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Preview' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Etch it' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('blockquote', { hasText: 'By keyboard.' }).waitFor();
    });
  });
});

type Check = (where: string, isNewPage?: boolean) => Promise<void>;

/** Publishes nothing, because each look has the same account. */
async function checkPreviews(page: Page, check: Check): Promise<void> {
  const { url } = ground.world;
  const preview = async (where: string, seen: string): Promise<void> => {
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText(seen).first().waitFor();
    await check(where);
  };
  await page.goto(`${url}/challenges/new`);
  await page.getByLabel('The question').fill(`Is it ${'W'.repeat(200)}?`);
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Closes at (UTC)').fill(utcField(3_600));
  await preview('the preview of a challenge', 'Forecasters will see this.');
  await page.goto(`${url}/ch/${open.id}`);
  for (const [town, chance] of [
    ['Bingen', '60'],
    ['Mainz', '30'],
    ['Worms', '10'],
  ] as const)
    await page.getByRole('textbox', { name: town }).fill(chance);
  await preview('the preview of an answer', 'Bingen 60 %');
  await page.goto(`${url}/ch/${closed.id}/resolve`);
  await page.getByLabel('The number, in cm').fill('120');
  await page.getByLabel('Source').fill('https://river.example.org');
  await preview('the preview of a resolution', 'Check before you publish');
}

/** The last step: the browser warns before it leaves this page, and its preview replaces the form. */
async function checkBlindPreview(page: Page, check: Check): Promise<void> {
  await page.goto(`${ground.world.url}/write?kind=preregistration`);
  for (const field of await page.locator('[name^=section_]').all()) await field.fill('W'.repeat(100));
  await page.getByRole('textbox', { name: 'Description' }).fill('About the river');
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Blind seal until a date').check();
  await page.getByLabel('Opens at (UTC)').fill(utcField(3_600));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Your browser encrypts these words now').waitFor();
  await check('the preview of a blind seal', false);
}
