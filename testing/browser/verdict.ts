import type { Page } from 'playwright-core';

/** Who says so, where the page checked it by itself. */
export const BROWSER = 'Checked by your own browser';

/** The verdict of all checks, once there is one; `by` is who says so. */
export async function overall(page: Page, by: string): Promise<string> {
  const shown = page.locator('[data-overall]', { hasText: by });
  await shown.waitFor();
  return (await shown.getAttribute('data-overall'))!;
}
