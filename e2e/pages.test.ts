// Runs in the soak only.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
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
import type { Json } from '../testing/json.ts';
import { usePages } from '../testing/browser/pages.ts';
import { BROWSER, overall } from '../testing/browser/verdict.ts';
import { type Author, newAuthor } from '../testing/system/author.ts';
import { type EachKind, etchOfEachKind } from '../testing/system/etches-of-each-kind.ts';
import { scoredChallenge } from '../testing/system/scored-challenge.ts';

let author: Author;
let etches: EachKind & Record<'emoji' | 'word' | 'opened', Json>;
let challenge: Json;
let resolved: Json;
let forecaster: Author;
/** an answer that opened and is scored */
let answer: Json;
let root: string;
const ground = usePages({}, async () => {
  [author, forecaster] = [await newAuthor(ground.world), await newAuthor(ground.world)];
  const forecasts = [[author, '0.4'] as const, [forecaster, '0.9'] as const];
  // The clock moves over this time.
  const revealAt = new Date(Date.now() + 900_000).toISOString();
  const opened = await author.etch({ mode: 'delayed', reveal_at: revealAt });
  resolved = await scoredChallenge(ground, await newAuthor(ground.world), forecasts);
  [answer] = (await author.call('GET', `/api/v1/challenges/${resolved.id}`)).etches;
  await seed(opened);
});

async function seed(opened: Json): Promise<void> {
  challenge = (
    await author.call('POST', '/api/v1/challenges', {
      question: 'Which day brings the first frost?',
      category_id: 'science',
      reveal_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
  ).challenge;
  etches = {
    ...(await etchOfEachKind(author)),
    opened,
    emoji: await author.etch({ content: '😀'.repeat(2_000) }),
    word: await author.etch({ content: 'W'.repeat(2_000), description: 'L'.repeat(140) }),
  };
  await author.etch({ mode: 'delayed', challenge_id: challenge.id });
  await author.anchored(...Object.values(etches).map(({ id }) => id));
  root = (await author.call('GET', `/api/v1/etches/${etches.signed.id}`)).etch.chain.root;
}

const paths = (): string[] => [
  '/',
  ...Object.values(etches).map(({ id }) => `/e/${id}`),
  `/e/${etches.signed.code}`,
  `/e/${etches.signed.id}/verify`,
  `/e/${etches.sealed.id}/verify`,
  `/e/${etches.retracted.id}/verify`,
  `/e/${answer.id}`,
  `/e/${answer.id}/verify`,
  `/e/${etches.hostile.id}/receipt.html`,
  ...Object.values(etches).map(({ id }) => `/e/${id}/embed`),
  `/ch/${challenge.id}`,
  `/ch/${resolved.id}`,
  `/ch/${resolved.id}/embed`,
  '/challenges?status=all',
  `/u/${author.agent.username}`,
  `/u/${forecaster.agent.username}`,
  '/search?q=tide&status=revealed',
  '/search?in=accounts&q=agent',
  '/search?in=challenges&q=frost',
  '/topics/science',
  '/verify',
  '/verify/how',
  '/open',
  '/status',
  '/about',
  '/privacy',
  '/trees',
  `/trees/${root}`,
  '/docs',
  '/docs/api/etches',
  '/docs/quickstart',
  '/docs/verification',
  '/docs/specification',
  '/docs/conventions',
  '/docs/protocol',
  '/docs/protocol/48-evidence',
  '/docs/claims',
  '/docs/agents',
  '/docs/templates/README',
  '/install/',
  '/verify?q=nothing-here',
  '/sign-in/start?return=/',
];

const LIGHT: Look = { colorScheme: 'light', viewport: { width: 1280, height: 900 } };
const DARK: Look = { colorScheme: 'dark', viewport: { width: 390, height: 800 } };
const FORCED: Look = { colorScheme: 'light', forcedColors: 'active', viewport: { width: 320, height: 800 } };

describe.concurrent('every public page', () => {
  const opened = async (page: Page, path: string): Promise<void> => {
    const response = await page.goto(ground.world.url + path);
    expect(response!.status(), path).toBe(200);
    expect((await page.locator('h1').textContent())!.trim(), path).not.toBe('');
    expect(await page.locator('.devnet').count(), path).toBe(0);
  };
  const fits = async (page: Page, path: string): Promise<void> => {
    await expectToFit(page, path);
    await expectTargets(page, path);
  };

  test('is readable on a small screen without scripts', async () => {
    await ground.withTab(
      async ({ page, troubles }) => {
        for (const path of paths()) {
          await opened(page, path);
          await fits(page, path);
          expect(troubles, path).toEqual([]);
        }
      },
      { javaScriptEnabled: false, colorScheme: 'light', viewport: { width: 320, height: 800 } },
    );
  });

  test.each([LIGHT, DARK, FORCED])('is readable: %o', async (look) => {
    await ground.withTab(async ({ page, troubles }) => {
      for (const path of paths()) {
        await opened(page, path);
        if (/\/e\/.*(verify|html)$/.test(path)) await overall(page, BROWSER);
        await fits(page, path);
        await expectSteady(page, path);
        await expectAccessible(page, path);
        if (look === LIGHT) {
          if (!path.endsWith('.html')) await expectLight(page, path);
          await expectReachable(page, path);
        }
        await withLargeText(page, () => expectToFit(page, `${path}, text at 200 %`));
        expect(troubles, path).toEqual([]);
      }
    }, look);
  });

  test('loads no script for reading, and none that it does not need', async () => {
    await ground.withTab(async ({ page, requests }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}`);
      expect(
        requests
          .filter((url) => url.endsWith('.js'))
          .map((url) => /\/(\w+)\./.exec(new URL(url).pathname)![1]),
      ).toEqual(['copy', 'live', 'times']);
    });
  });

  test('is reachable by keyboard, the content first', async () => {
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement!.textContent)).toContain('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement!.id)).toBe('main');
    });
  });

  test('the reference can be searched without a mouse, and each field has a link', async () => {
    await ground.withTab(async ({ page, troubles }) => {
      await page.goto(`${ground.world.url}/docs`);
      await page.getByLabel('Search operations, schemas and fields').fill('reveal sealed etch');
      await page.getByText(/^\d+ found/).waitFor();
      await expectAccessible(page, '/docs, searched');
      await page.getByLabel('Search operations, schemas and fields').fill('delayedetch reveal_at');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${ground.world.url}/docs/api/etches#DelayedEtch.reveal_at`);
      expect(await page.locator(':target').textContent()).toContain('required, string (date-time)');
      await page.goto(`${ground.world.url}/docs#DelayedEtch.reveal_at`);
      await page.waitForURL(`${ground.world.url}/docs/api/etches#DelayedEtch.reveal_at`);
      expect(troubles).toEqual([]);
    });
  });

  test('a missing page says so in the same design', async () => {
    await ground.withTab(async ({ page }) => {
      const response = await page.goto(`${ground.world.url}/e/zzzzzz`);
      expect(response!.status()).toBe(404);
      await expectAccessible(page, 'the 404');
    });
  });
});

test('answers with the chain down and says what still holds', async () => {
  await ground.gate.close();
  try {
    await ground.withTab(async ({ page, context }) => {
      for (const path of paths()) {
        const answer = await context.request.get(ground.world.url + path);
        expect(answer.status(), path).toBe(200);
      }
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, BROWSER)).toBe('wait');
      expect(await page.locator('[data-check=words]').getAttribute('data-verdict')).toBe('pass');
      expect(await page.locator('[data-check=batch]').getAttribute('data-verdict')).toBe('pass');
      expect(await page.locator('[data-check=chain]').textContent()).toContain(
        'This says nothing about the etch.',
      );
    });
  } finally {
    await ground.gate.open();
  }
});
