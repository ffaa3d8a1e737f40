import type { Page } from 'playwright-core';

/** For checks in the browser. */
export const BROWSER = 'Checked by your own browser';

/** `by`: who checked. */
export async function overall(page: Page, by: string): Promise<string> {
  const shown = page.locator('[data-overall]', { hasText: by });
  await shown.waitFor();
  return (await shown.getAttribute('data-overall'))!;
}
