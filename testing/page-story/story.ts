import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { utcField } from '../browser/sign-in.ts';
import { type Author, newAuthor } from '../system/author.ts';
import type { World } from '../system/world.ts';
import { eventually } from '../wait.ts';
import { expectNoBarrier, expectWell, type Form } from './forms.ts';

export interface Stage {
  world: World;
  author: Author;
}

/** All stories share one machine. */
const PATIENCE = { seconds: 900, everyMs: 3_000 };
const WAIT = { timeout: PATIENCE.seconds * 1_000 };
/** Everything before the reveal must happen in this time. */
const SEALED_SECONDS = 240;
const CLOSES_SECONDS = 300;

export async function untilShown(what: string, load: () => Promise<unknown>, shown: Locator): Promise<void> {
  await eventually(what, async () => (await load(), (await shown.count()) > 0), PATIENCE);
}

export async function seeAllNews(page: Page, press: (button: Locator) => Promise<void>): Promise<void> {
  const seeThese = async (): Promise<void> => {
    await page.reload();
    const button = page.getByRole('button', { name: 'Mark all as read' });
    if ((await button.count()) === 0) return;
    await press(button);
    await page.getByText('Marked as read.').waitFor();
  };
  await untilShown('all is seen', seeThese, page.getByText('Nothing since then.'));
}

export async function askedBy(
  { world, author }: Stage,
  question: string,
  answers: readonly string[],
): Promise<{ id: string; question: string; url: string }> {
  const reveal_at = new Date(Date.now() + CLOSES_SECONDS * 1_000).toISOString();
  const asked = { question, category_id: 'science', reveal_at };
  const { challenge } = await author.call('POST', '/api/v1/challenges', asked);
  for (const content of answers)
    await (await newAuthor(world)).etch({ mode: 'delayed', challenge_id: challenge.id, content });
  return { id: challenge.id, question, url: `${world.url}/ch/${challenge.id}` };
}

export async function wholeStory(first: Page, stage: Stage, form: Form): Promise<void> {
  let page = first;
  const { url } = stage.world;
  const { scripts, options } = form;
  const me = form.name.replace(/[^a-z0-9]+/g, '_');
  const check = (where: string, heading: string | RegExp, ...ways: string[]): Promise<void> =>
    expectWell(page, form, where, { heading, ways });

  await page.goto(url);
  await check('the first visit', 'Write it down now. Prove later that you did.', 'link "Verify it now"');
  await page.getByRole('link', { name: 'Verify it now' }).click();
  await page.waitForURL('**/e/*/verify');
  if (scripts) await page.locator('[data-overall=pass]', { hasText: 'your own browser' }).waitFor(WAIT);
  await check('the example, verified', 'Verify an etch', 'link "Etches"');

  await page.goto(url);
  await page.getByRole('link', { name: 'Write an etch' }).click();
  await check('to sign in', 'Sign in', 'link "Continue to sign in"');
  await page.getByRole('link', { name: 'Continue to sign in' }).click();
  await page.getByLabel('Name', { exact: true }).waitFor();
  await check('the issuer', 'Sign in with a name', 'button "Sign in"');
  await page.getByLabel('Name', { exact: true }).fill(me);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/write`);

  const words = `The kingfisher nests below the weir, says ${me}.`;
  const about = `Where it nests, by ${me}`;
  if (scripts) {
    await page.getByLabel('Your words').pressSequentially(words);
    // The second tab acts as if the machine had gone off.
    const other = await page.context().newPage();
    await page.close({ runBeforeUnload: false });
    page = other;
    await page.goto(url);
    await page.getByRole('link', { name: words }).waitFor();
    await check('a draft to be found', /^Welcome, /, 'region "Drafts on this device"');
    await page.getByRole('link', { name: words }).click();
    await page.getByText('is back.').waitFor();
    expect(await page.getByLabel('Your words').inputValue()).toBe(words);
  }
  await page.getByLabel('Your words').fill(words);
  await page.getByRole('textbox', { name: 'Description' }).fill(about);
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Sealed until a date').check();
  await check('to write', 'Write an etch', 'button "Preview"');
  await page.getByLabel('Opens at (UTC)').fill(utcField(SEALED_SECONDS));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Seal it' }).waitFor();
  await check('once more', 'Check before you publish', 'button "Seal it"');
  await page.getByRole('button', { name: 'Seal it' }).click();
  await page.waitForURL('**/e/*');
  const etch = page.url();
  expect(await page.locator('body').textContent()).not.toContain('below the weir');
  await stage.author.anchored(etch.split('/').at(-1)!);
  await page.goto(etch);
  const shared = page.locator('[data-part=share]');
  await shared.getByRole('link', { name: 'Receipt that checks itself' }).waitFor();
  expect(await shared.locator('img[src$="qr.svg"]').count()).toBeGreaterThan(0);
  expect(await shared.locator('.preview img').isVisible()).toBe(true);
  await check('a sealed etch, to be shared', about, 'heading "Share it"', 'link "Retract this etch…"');
  await page.goto(`${etch}/embed`);
  await expectNoBarrier(page, form, 'the embed');
  await page.goto(`${etch}/receipt.html`);
  await expectNoBarrier(page, form, 'the receipt');

  const challenge = await askedBy(stage, `How many herons, ${me}?`, ['12', '30', 'a few']);
  await page.goto(challenge.url);
  await check('a challenge', challenge.question, 'link "Answer it"', 'button "Follow this challenge"');
  await page.getByRole('button', { name: 'Follow this challenge' }).click();
  await page.getByRole('button', { name: 'Stop following this challenge' }).waitFor();
  await page.getByRole('link', { name: 'Answer it' }).click();
  await page.getByLabel('Your words').fill('17');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Seal it' }).click();
  await page.waitForURL('**/e/*');
  await page.goto(challenge.url);
  await check('a challenge that one answered', challenge.question, 'link "your answer"');
  const open = page.locator('#standing', { hasText: 'Closed: every answer is open' });
  if (scripts) await open.waitFor(WAIT);
  else await untilShown('the challenge is open', () => page.reload(), open);
  await page.reload();
  await check(
    'a challenge that opened',
    challenge.question,
    'heading "What was said"',
    'link "Highest first"',
  );
  await page.getByRole('link', { name: 'Highest first' }).click();
  await page.waitForURL(/\?by=highest#answers$/);
  expect(await page.locator('.answer .words.large').allTextContents()).toEqual(['30', '17', '12']);
  const opened = page.locator('blockquote', { hasText: words });
  await untilShown('the etch is open', () => page.goto(etch), opened);
  await check('an etch that opened', about, 'heading "Share it"');

  const yours = page.getByRole('navigation', { name: 'Yours' });
  const inbox = yours.getByRole('link', { name: /^Inbox/ });
  await untilShown('both are in the inbox', () => page.goto(url), inbox.getByText(/^[2-9] new$/));
  await check(
    'home',
    /^Welcome back, /,
    'heading "Your etches that opened this week"',
    'link "All news in your inbox →"',
  );
  await inbox.click();
  await page.getByRole('link', { name: about }).waitFor();
  const news = `link "${challenge.question}"`;
  await check('the inbox', 'Since your last visit', news, 'button "Mark all as read"');
  await seeAllNews(page, (button) => button.click());
  expect(await inbox.textContent()).toBe('Inbox');

  await yours.getByRole('link', { name: 'Account', exact: true }).click();
  await page.waitForURL(`${url}/account`);
  await check('the account', /./, 'link "Download record and receipts"');
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download record and receipts' }).click();
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines.at(-1)!)).toEqual({ type: 'end', etches: 2 });
  expect(lines.join('\n')).toContain(words);

  await page.goto(etch);
  await page.getByRole('link', { name: 'Retract this etch…' }).click();
  await check('to retract', 'Retract this etch?', 'button "Retract it for good"', 'link "Keep it"');
  await page.getByRole('button', { name: 'Retract it for good' }).click();
  await page.waitForURL(etch);
  await page.locator('#standing', { hasText: 'Retracted: the text is erased' }).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('below the weir');
  await check('a tombstone', about, 'link "Etches"');
  expect(await page.evaluate(() => window.innerWidth)).toBe(options.viewport!.width);
}
