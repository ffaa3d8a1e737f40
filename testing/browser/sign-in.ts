import type { Page } from 'playwright-core';

export async function signIn(page: Page, url: string, name: string, returnTo = '/account'): Promise<void> {
  await page.goto(`${url}/sign-in?return=${encodeURIComponent(returnTo)}`);
  await page.getByRole('link', { name: 'Continue to sign in' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(url + returnTo);
}

export const utcField = (secondsAhead: number): string =>
  new Date(Date.now() + secondsAhead * 1000).toISOString().slice(0, 19);

export interface Typed {
  content: string;
  description: string;
  /** UTC, for a sealed etch */
  revealAt?: string;
}

export async function writeEtch(
  page: Page,
  url: string,
  { content, description, revealAt }: Typed,
): Promise<string> {
  await page.goto(`${url}/write`);
  await page.getByLabel('Your words').fill(content);
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel(revealAt ? 'Sealed until a date' : 'Public at once').check();
  if (revealAt) await page.getByLabel('Opens at (UTC)').fill(revealAt);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
  await page.getByRole('button', { name: revealAt ? 'Seal it' : 'Etch it' }).click();
  await page.waitForURL('**/e/*');
  return page.url().slice(url.length);
}
