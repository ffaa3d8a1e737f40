// Runs in the soak only.
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { describeEtch, send, signInAs } from '../../testing/browser/steps.ts';
import type { Json } from '../../testing/json.ts';
import { newAuthor } from '../../testing/system/author.ts';

const { ground, utcField, visit } = useJourneys();
const QUESTION = 'Which town floods first?';
const OWN_PAGES = ['/inbox', '/account', '/feed', '/watching', '/following', '/challenges/new'];
let address = '';
beforeAll(async () => {
  const asker = await newAuthor(ground.world);
  const asked = {
    question: `${QUESTION} [Bingen|Mainz|Worms]`,
    category_id: 'science',
    reveal_at: `${utcField(86_400)}.000Z`,
  };
  const { challenge: made } = await asker.call('POST', '/api/v1/challenges', asked);
  const { challenge }: Json = await asker.call('GET', `/api/v1/challenges/${made.id}`);
  address = challenge.short_url;
});

/** A visitor previews, declines the first offer to sign in, and takes the second one. */
async function previewAndSignIn({ page }: Visit, name: string, words: string): Promise<void> {
  const preview = page.locator('blockquote', { hasText: words });
  await page.getByRole('button', { name: 'Preview' }).click();
  await preview.waitFor();
  await page.getByRole('button', { name: 'Sign in and seal it' }).click();
  await page.waitForURL((url) => url.search === `?return=${encodeURIComponent('/write?draft=kept')}`);
  await page.getByText('Your text waits here.').waitFor();
  await page.getByRole('link', { name: 'Not now' }).click();
  await preview.waitFor();
  await page.getByRole('button', { name: 'Sign in and seal it' }).click();
  await signInAs(page, name);
  await page.getByText(`@${name} (the hash contains the account id)`).waitFor();
  await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
  await preview.waitFor();
}

describe.each(widths(390))('at %i px', (width) => {
  test('a visitor seals a sentence in the browser, opens it, and seals it for real', async () => {
    await visit(width, async (visitor) => {
      const { page, url, context } = visitor;
      await page.goto(url);
      const words = page.getByLabel('Something that you expect');
      await words.fill('It snows in June.');
      const seal = page.getByRole('button', { name: 'Seal it' });
      const { y, height } = (await seal.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
      await context.setOffline(true);
      await seal.click();
      const mark = await page.locator('[data-mark]').innerText();
      expect(mark).toMatch(/^[0-9a-f]{64}$/);
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByText('these are the sealed words').waitFor();
      expect(await strayHalves(page.locator('.seal-state[data-broken]'))).toBe(0);
      const opened = page.getByLabel('Your words, opened');
      await opened.fill('It snows in July.');
      await page.getByText('These are not the sealed words.').waitFor();
      await opened.fill('It snows in June.');
      await page.getByText('these are the sealed words').waitFor();
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Write an etch' }).click();
      expect(await page.getByLabel('Your words').inputValue()).toBe('It snows in June.');
      await describeEtch(visitor, { description: 'About the summer', opens: utcField(3_600) });
      await previewAndSignIn(visitor, `jun${width}`, 'It snows in June.');
      await send(visitor, 'Seal it');
      await page.waitForURL('**/e/*');
      await page.getByRole('heading', { name: 'About the summer' }).waitFor();
    });
  });

  test('a visitor without scripts writes, previews, signs in and seals', async () => {
    await visit(
      width,
      async (visitor) => {
        const { page, url } = visitor;
        // Another name of this machine leads to the service's own, where forms and cookies work.
        await page.goto(url.replace('127.0.0.1', 'localhost'));
        expect(page.url()).toBe(`${url}/`);
        expect(await page.getByRole('button', { name: 'Seal it' }).count()).toBe(0);
        await page.getByLabel('Something that you expect').fill('It snows in May.');
        await page.getByRole('button', { name: 'Write an etch' }).click();
        await describeEtch(visitor, { description: 'About the spring', opens: utcField(3_600) });
        await previewAndSignIn(visitor, `mai${width}`, 'It snows in May.');
        await page.getByRole('button', { name: 'Seal it' }).click();
        await page.waitForURL('**/e/*');
        await page.getByRole('heading', { name: 'About the spring' }).waitFor();
      },
      { javaScriptEnabled: false },
    );
  });

  test.each([true, false])(
    'a visitor answers a challenge and signs in at the last step, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async (visitor) => {
          const { page } = visitor;
          const chance = (outcome: string) => page.getByRole('textbox', { name: outcome });
          const reasons = page.getByLabel('Your reasons');
          const asked = page.getByRole('heading', { level: 1, name: QUESTION });
          await page.goto(address);
          for (const offer of ['Sign in', 'Sign in to follow this challenge']) {
            await page.getByRole('link', { name: offer, exact: true }).click();
            await page.getByRole('link', { name: 'Not now' }).click();
            await asked.waitFor();
          }
          await chance('Bingen').fill('60');
          await chance('Mainz').fill('30');
          await chance('Worms').fill('10');
          await reasons.fill('The dike of Bingen is low.');
          await page.getByRole('button', { name: 'Preview' }).click();
          await page.getByRole('button', { name: 'Change something' }).click();
          for (const [outcome, percent] of Object.entries({ Bingen: '60', Mainz: '30', Worms: '10' }))
            expect(await chance(outcome).inputValue()).toBe(percent);
          expect(await reasons.inputValue()).toBe('The dike of Bingen is low.');
          await chance('Bingen').fill('70');
          await chance('Mainz').fill('20');
          const name = `ute${width}${javaScriptEnabled ? 'x' : 'y'}`;
          await previewAndSignIn(visitor, name, 'The dike of Bingen is low.');
          const preview = await page.locator('main').innerText();
          for (const part of [QUESTION, 'Bingen 70 %', 'Mainz 20 %', 'Worms 10 %'])
            expect(preview).toContain(part);
          if (javaScriptEnabled) await send(visitor, 'Seal it');
          else await page.getByRole('button', { name: 'Seal it' }).click();
          await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
          await page.getByRole('link', { name: QUESTION }).first().click();
          await page.getByText('You answered').waitFor();
          expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0);
        },
        { javaScriptEnabled },
      );
    },
  );

  test.each([true, false])(
    '“Not now” leaves each page that asks for a sign-in, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async ({ page, url }) => {
          for (const path of OWN_PAGES) {
            await page.goto(url + path);
            await page.getByRole('link', { name: 'Not now' }).click();
            await page.waitForURL(`${url}/`);
            await page.getByRole('heading', { name: 'Write it down now.' }).waitFor();
          }
        },
        { javaScriptEnabled },
      );
    },
  );

  test('a visitor sees the typefaces of the service, and its mark at 16 px', async () => {
    await visit(width, async ({ page, url }) => {
      await page.goto(url);
      const loaded = await page.evaluate(async () => {
        const faces = [...(await document.fonts.ready)].filter(({ status }) => status === 'loaded');
        return faces.map(({ family }) => family.replaceAll('"', ''));
      });
      expect(new Set(loaded)).toEqual(new Set(['Besley', 'Figtree']));
      const family = (place: Locator) => place.evaluate((node) => getComputedStyle(node).fontFamily);
      expect(await family(page.locator('h1'))).toMatch(/^Besley,/);
      expect(await family(page.locator('body'))).toMatch(/^Figtree,/);
      expect(await page.locator('link[rel=icon]').evaluate(drawnPixels)).toBeGreaterThan(100);
    });
  });
});

/** Halves of the broken seal that leave their column or touch the text next to them. */
const strayHalves = (row: Locator): Promise<number> =>
  row.evaluate(async (node) => {
    await Promise.all(node.getAnimations({ subtree: true }).map(({ finished }) => finished));
    const { left } = node.getBoundingClientRect();
    const { left: right } = node.querySelector('p')!.getBoundingClientRect();
    // The box of a turned half is a little larger than the half.
    return [...node.querySelectorAll('path')]
      .map((half) => half.getBoundingClientRect())
      .filter((half) => half.left < left - 1 || half.right > right + 1).length;
  });

/** Pixels of the icon at 16 px that are not transparent. */
async function drawnPixels(link: Node): Promise<number> {
  const image = Object.assign(new Image(16, 16), { src: (link as HTMLLinkElement).href });
  await image.decode();
  const context = Object.assign(document.createElement('canvas'), { width: 16, height: 16 }).getContext(
    '2d',
  )!;
  context.drawImage(image, 0, 0, 16, 16);
  return context.getImageData(0, 0, 16, 16).data.filter((value, at) => at % 4 === 3 && value > 0).length;
}
