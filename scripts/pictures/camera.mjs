import { chromium } from 'playwright-core';

const WIDTH = 860;
const DAY_MS = 86_400_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--hide-scrollbars',
];

export const openBrowser = (executablePath) => chromium.launch({ executablePath, args: FLAGS });

/** `from` is the element at the top of the picture. */
export async function takePicture(browser, url, { path, height, from, signedInAs, prepare, ...shown }) {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height },
    deviceScaleFactor: 1.5,
    colorScheme: shown.theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    if (shown.daysLater > 0) await page.clock.setSystemTime(Date.now() + shown.daysLater * DAY_MS);
    if (signedInAs) await signIn(page, url, signedInAs);
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await prepare?.(page);
    await page
      .locator(from ?? '.site-header')
      .first()
      .evaluate((element) => {
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
