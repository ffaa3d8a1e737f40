import type { Page } from 'playwright-core';

/** How a page names a check that it made in the browser. */
export const BROWSER = 'Checked by your own browser';

/** Waits for the overall verdict; `by` names who checked. */
export async function overall(page: Page, by: string): Promise<string> {
  const shown = page.locator('[data-overall]', { hasText: by });
  await shown.waitFor();
  return (await shown.getAttribute('data-overall'))!;
}
