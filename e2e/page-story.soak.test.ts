import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTab, sharedBrowser } from '../testing/browser/browser.ts';
import { signIn } from '../testing/browser/sign-in.ts';
import { storyByKeyboard } from '../testing/page-story/by-keyboard.ts';
import { expectWell, FORMS } from '../testing/page-story/forms.ts';
import { type Stage, wholeStory } from '../testing/page-story/story.ts';
import { newAuthor } from '../testing/system/author.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';

// All eight forms: with and without scripts, phone and desktop, both themes. Each page is also checked as a screen
// reader announces it.
const ground = useGround();
let browser: Browser;
let stage: Stage;
const beside = [
  '/search?q=heron',
  '/search?in=accounts&q=a',
  '/challenges?status=all',
  '/topics/science',
  '/verify',
  '/verify/how',
  '/open',
  '/status',
  '/about',
  '/privacy',
  '/trees',
  '/docs',
  '/feed',
  '/watching',
  '/following',
  '/account/keys',
  '/account/limits',
  '/account/agents',
  '/account/webhooks',
  '/challenges/new',
  '/e/00000000-0000-4000-8000-000000000000',
];

beforeAll(async () => {
  browser = await sharedBrowser();
  const world = ground.keep(
    await postgresWorld(ground, { MIN_REVEAL_LEAD_SECONDS: '2', IDENTITY_EMBEDDED: 'true' }),
  );
  await world.start();
  const author = await newAuthor(world);
  stage = { world, author };
  const { id } = await author.etch({
    content: 'The storks were back on the roof by noon.',
    description: 'When the storks come back',
    mode: 'delayed',
    reveal_at: new Date(Date.now() + 30_000).toISOString(),
  });
  const [example] = await author.anchored(id);
  await eventually(
    'the example is open',
    async () => (await author.call('GET', `/api/v1/etches/${id}`)).etch.status === 'revealed',
  );
  beside.push(`/trees/${example.chain.root}?kind=0`, `/u/${author.agent.username}`);
}, 900_000);

const forms = FORMS.map((form) => [form.name, form] as const);

// These tests mostly wait for fixed times.
describe.concurrent('the pages,', () => {
  test.each(forms)('the whole story, %s', (_, form) =>
    inTab(browser, stage.world.url, ({ page }) => wholeStory(page, stage, form), form.options),
  );

  test.each([true, false])('the story by keyboard only, scripts: %s', (scripts) =>
    inTab(browser, stage.world.url, ({ page }) => storyByKeyboard(page, stage, scripts), {
      javaScriptEnabled: scripts,
      viewport: { width: 1280, height: 900 },
    }),
  );

  test.each(forms)('every other page, %s', (_, form) =>
    inTab(
      browser,
      stage.world.url,
      async ({ page }) => {
        await signIn(page, stage.world.url, 'reader');
        for (const path of beside) {
          const response = await page.goto(stage.world.url + path);
          expect(response!.status(), path).toBe(path.startsWith('/e/') ? 404 : 200);
          await expectWell(page, form, path, { heading: /./ });
        }
      },
      form.options,
    ),
  );
});
