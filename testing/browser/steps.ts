import { expect } from 'vitest';
import { PATIENCE_MS } from '../wait.ts';
import type { Visit } from './journey.ts';

/** From the home page, as a person does. */
export async function signInFromHome({ page, url }: Visit, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await signInAs(page, name);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
}

/** On the page that offers to sign in. */
export async function signInAs(page: Visit['page'], name: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue to sign in' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

interface About {
  description: string;
  topic?: string;
  /** in UTC, for a sealed etch */
  opens?: string;
}

/** Fills in what is next to the words. */
export async function describeEtch(
  { page }: Visit,
  { description, topic = 'science', opens }: About,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByLabel('Topic').selectOption(topic);
  await page.getByLabel(opens === undefined ? 'Public at once' : 'Sealed until a date').check();
  if (opens !== undefined) await page.getByLabel('Opens at (UTC)').fill(opens);
}

/** Previews it, sends it, and waits until the next page compares what was stored with what was sent. */
export async function previewAndSend(
  { page }: Visit,
  button: 'Etch it' | 'Seal it' | 'Ask it',
): Promise<void> {
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
  await send({ page }, button);
}

export async function send({ page }: Pick<Visit, 'page'>, button: string): Promise<void> {
  const stored = page.waitForResponse(
    (answer) => /\/(e|ch)\/[\w-]+$/.test(answer.url()) && answer.request().resourceType() === 'fetch',
  );
  await page.getByRole('button', { name: button }).click();
  await (await stored).finished();
}

/** Opens a page of the navigation again until it has these words. */
export async function openUntil({ page }: Visit, link: string, words: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.getByRole('navigation', { name: 'Yours' }).getByRole('link', { name: link }).click();
        await page.waitForLoadState();
        return page.locator('main').innerText();
      },
      { timeout: PATIENCE_MS },
    )
    .toContain(words);
}

/** The page has a link picture, which is drawn, and a sentence for its alternative text. */
export async function expectPicture({ page }: Pick<Visit, 'page'>, said: RegExp): Promise<void> {
  const meta = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content');
  expect(await meta('og:image:alt')).toMatch(said);
  const picture = await page.request.get((await meta('og:image'))!);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
}

/** Shares by the browser where it can, and else copies the link. */
export async function expectShared({ page }: Pick<Visit, 'page'>): Promise<void> {
  const share = page.locator('[data-share]');
  const url = await share.getAttribute('data-share');
  await share.click();
  await page.getByText('Link copied').first().waitFor();
  const shared = page.evaluate(
    () =>
      new Promise((resolve) => {
        Object.assign(navigator, { share: (what: ShareData) => Promise.resolve(resolve(what.url)) });
      }),
  );
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  expect(await shared).toBe(url);
}

/** Without scripts, a page shows a change when it is loaded again. */
export async function expectAfterReload({ page }: Pick<Visit, 'page'>, words: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.locator('main').innerText();
      },
      { timeout: PATIENCE_MS },
    )
    .toContain(words);
}
