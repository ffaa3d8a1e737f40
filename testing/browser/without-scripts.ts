import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** What a page has for who runs no scripts is a part of it like any other, also to whoever asks what is heard. Only where they are off. */
export const unfoldNoscript = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const shown of document.querySelectorAll('main noscript, footer noscript'))
      shown.replaceWith(...shown.childNodes);
  });

/**
 * What looks at a page may be a script that answers late, and where scripts are off no such answer comes. They are let in
 * for as long as it looks: those of the page were passed over when it was read, and stay so.
 */
export async function lettingIn(page: Page, look: () => Promise<void>): Promise<void> {
  let session = sessions.get(page);
  if (!session) sessions.set(page, (session = page.context().newCDPSession(page)));
  const off = async (value: boolean): Promise<unknown> =>
    (await session).send('Emulation.setScriptExecutionDisabled', { value });
  // This session has not said so yet, and what it never switched off it cannot switch on.
  await off(true);
  await off(false);
  try {
    await look();
  } finally {
    await off(true);
  }
}
