import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** The accessibility tree omits `noscript` parts while scripts are on. */
export const unfoldNoscript = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const shown of document.querySelectorAll('main noscript, footer noscript'))
      shown.replaceWith(...shown.childNodes);
  });

export async function lettingIn(page: Page, look: () => Promise<void>): Promise<void> {
  let session = sessions.get(page);
  if (!session) sessions.set(page, (session = page.context().newCDPSession(page)));
  const off = async (value: boolean): Promise<unknown> =>
    (await session).send('Emulation.setScriptExecutionDisabled', { value });
  await off(true);
  await off(false);
  try {
    await look();
  } finally {
    await off(true);
  }
}
