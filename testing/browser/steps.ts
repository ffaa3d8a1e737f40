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
