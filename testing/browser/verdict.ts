import type { Page } from 'playwright-core';

export const BROWSER = 'Checked by your own browser';

export async function overall(page: Page, by: string): Promise<string> {
  const shown = page.locator('[data-overall]', { hasText: by });
  await shown.waitFor();
  return (await shown.getAttribute('data-overall'))!;
}
