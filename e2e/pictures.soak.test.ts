import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { usePages } from '../testing/browser/pages.ts';
import { signIn } from '../testing/browser/sign-in.ts';
import { BROWSER, overall } from '../testing/browser/verdict.ts';
import { registerAgent } from '../testing/clients/agents.ts';
import { root } from '../testing/repository.ts';
import { type Writer, writerWith } from '../testing/system/author.ts';
import { eventually } from '../testing/wait.ts';

// `npm run pictures` writes the pictures of README and docs, which the soak only takes.
const FOLDER = join(root, 'docs/pictures');
const HOUR_MS = 3_600_000;
const LATER_DAYS = 30;
const THEMES = ['dark', 'light'] as const;
const ground = usePages();
const inDays = (days: number): string =>
  new Date((Math.ceil(Date.now() / HOUR_MS) + days * 24) * HOUR_MS).toISOString();

/** The quickstart shows it while it is written, and sealed. */
const SWIFTS = {
  content: 'The swifts are back over the harbour before the tenth of May.',
  description: 'When the swifts come back',
};

interface Picture {
  path: string;
  height: number;
  /** the element at the top */
  from?: string;
  prepare?: (page: Page) => Promise<unknown>;
}

test('takes every picture of the docs, in both themes', async () => {
  const { opened, sealed, challenge } = await writeStory();
  const early = await takeAll(0, {
    status: { path: '/status', height: 620 },
    sealed: { path: `/e/${sealed}`, height: 640 },
  });
  await ground.clock.advance(LATER_DAYS * 86_400);
  await eventually('the seal opens', async () => {
    const { body } = await ground.world.client.call('GET', `/api/v1/etches/${opened}`);
    return body.etch.status === 'revealed';
  });
  const late = await takeAll(LATER_DAYS, {
    home: { path: '/', height: 720 },
    write: { path: '/write', height: 750, prepare: fillIn },
    seal: { path: '/write', height: 640, prepare: fillIn, from: '.entry:has(select)' },
    etch: { path: `/e/${opened}`, height: 760 },
    challenge: { path: `/ch/${challenge}`, height: 860 },
    verify: { path: `/e/${opened}/verify`, height: 760, prepare: (page) => overall(page, BROWSER) },
    try: { path: '/verify/how', height: 640, from: '#try', prepare: changeLetter },
  });
  const shown = readdirSync(FOLDER).filter((file) => file.endsWith('.webp'));
  expect([...early, ...late].sort()).toEqual(shown.sort());
});

async function writeStory() {
  const { client } = ground.world;
  const person = async (username: string): Promise<Writer> => {
    const { body } = await client.call('POST', '/identity/dev-token', { body: { username } });
    return writerWith(ground.world, body.access_token);
  };
  const [ada, noor, kenji] = [
    await person('Ada Lindqvist'),
    await person('Noor Haddad'),
    await person('Kenji Mori'),
  ];
  const heron = writerWith(ground.world, (await registerAgent(client, { displayName: 'Tide watcher' })).key);
  const ids: string[] = [];
  const etch = async (writer: Writer, content: string, fields: object): Promise<string> => {
    ids.push((await writer.etch({ content, ...fields })).id);
    return ids.at(-1)!;
  };
  const sealedFor = (days: number) => ({ mode: 'delayed', reveal_at: inDays(days) });
  await etch(heron, 'High water in the harbour: 14:12, four centimetres above the table.', {
    description: 'High water in the harbour, measured',
  });
  const opened = await etch(
    ada,
    'The weir at Hollin Mill gives way in the first flood of the winter, on the left bank.',
    { description: 'Which part of the old weir fails first', ...sealedFor(27) },
  );
  const sealed = await etch(ada, SWIFTS.content, { description: SWIFTS.description, ...sealedFor(75) });
  const taken = await etch(kenji, 'The bridge opens on Friday.', { description: 'A date for the bridge' });
  const question = 'How many nights of frost will the harbour have this month? [number: nights]';
  const asked = { question, category_id: 'science', reveal_at: inDays(25) };
  const { challenge } = await noor.call('POST', '/api/v1/challenges', asked);
  const entry = { description: undefined, mode: 'delayed', challenge_id: challenge.id };
  for (const [writer, forecast, why] of [
    [ada, 'q10=4 q50=7 q90=11', 'The sea is still warm, so fewer than last year.'],
    [kenji, 'q10=6 q50=9 q90=14', 'Clear skies are on their way.'],
    [heron, 'q10=5 q50=8 q90=12', 'The median of thirty years, and one more.'],
  ] as const)
    await etch(writer, `svc-forecast:v1 ${forecast}\n${why}`, entry);
  await heron.anchored(...ids);
  await kenji.call('POST', `/api/v1/etches/${taken}/retract`);
  await kenji.anchored(taken);
  return { opened, sealed, challenge: challenge.id as string };
}

async function takeAll(later: number, pictures: Record<string, Picture>): Promise<string[]> {
  const names: string[] = [];
  for (const [name, picture] of Object.entries(pictures))
    for (const theme of THEMES) {
      const bytes = await take(later, picture, theme);
      names.push(`${name}-${theme}.webp`);
      if (process.env['npm_lifecycle_event'] === 'pictures')
        writeFileSync(join(FOLDER, names.at(-1)!), bytes);
    }
  return names;
}

async function take(later: number, { path, height, from, prepare }: Picture, colorScheme: 'dark' | 'light') {
  let bytes = Buffer.alloc(0);
  await ground.withTab(
    async ({ page, context }) => {
      await page.clock.setSystemTime(Date.now() + later * 24 * HOUR_MS);
      if (path === '/write') await signIn(page, ground.world.url, 'Ada Lindqvist');
      await page.goto(ground.world.url + path, { waitUntil: 'networkidle' });
      await prepare?.(page);
      await page.evaluate((selector) => {
        (document.activeElement as HTMLElement | null)?.blur();
        window.scrollTo(0, document.querySelector(selector)!.getBoundingClientRect().top + window.scrollY);
      }, from ?? '.site-header');
      const session = await context.newCDPSession(page);
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      bytes = Buffer.from(data, 'base64');
    },
    {
      viewport: { width: 860, height },
      deviceScaleFactor: 1.5,
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    },
  );
  return bytes;
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Your words').fill(SWIFTS.content);
  await page.getByRole('textbox', { name: 'Description' }).fill(SWIFTS.description);
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Sealed until a date').check();
}

async function changeLetter(page: Page): Promise<void> {
  const words = page.getByLabel('The words', { exact: true });
  await words.fill((await words.inputValue()).replace('left', 'right'));
  await page.locator('[data-verdict=other]').waitFor();
}
