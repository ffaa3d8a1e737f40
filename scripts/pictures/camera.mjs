import { chromium } from 'playwright-core';
import { LATER_MS } from './pages.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--hide-scrollbars',
];

export const openBrowser = (executablePath) => chromium.launch({ executablePath, args: FLAGS });

export async function takePicture(browser, url, { path, height, from, signedInAs, prepare, early, theme }) {
  const context = await browser.newContext({
    viewport: { width: 860, height },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    if (!early) await page.clock.setSystemTime(Date.now() + LATER_MS);
    if (signedInAs) await signIn(page, url, signedInAs);
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await prepare?.(page);
    const top = page.locator(from ?? '.site-header').first();
    await top.evaluate((element) => {
      const view = element.ownerDocument.defaultView;
      view.document.activeElement?.blur();
      view.scrollTo(0, view.scrollY + element.getBoundingClientRect().top);
    });
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    return Buffer.from(data, 'base64');
  } finally {
    await context.close();
  }
}

async function signIn(page, url, name) {
  await page.goto(`${url}/sign-in?return=/account`);
  await page.getByRole('link', { name: 'Continue to sign in' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/account`);
}
