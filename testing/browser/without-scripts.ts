import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** With scripts on, a `noscript` part must not exist for the accessibility tree. */
export const unfoldNoscript = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const shown of document.querySelectorAll('main noscript, footer noscript'))
      shown.replaceWith(...shown.childNodes);
  });

/**
 * Runs `look` with scripts allowed, because it may be a script whose answer comes later. The page's own scripts were skipped when
 * it loaded and stay off.
 */
export async function lettingIn(page: Page, look: () => Promise<void>): Promise<void> {
  let session = sessions.get(page);
  if (!session) sessions.set(page, (session = page.context().newCDPSession(page)));
  const off = async (value: boolean): Promise<unknown> =>
    (await session).send('Emulation.setScriptExecutionDisabled', { value });
  // This session never disabled scripts, so it cannot enable them.
  await off(true);
  await off(false);
  try {
    await look();
  } finally {
    await off(true);
  }
}
