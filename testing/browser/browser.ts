import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { PAGE_PATIENCE_MS } from '../wait.ts';

const FLAGS =
  '--no-sandbox --no-first-run --disable-gpu --disable-gpu-compositing --disable-gpu-rasterization --disable-sync ' +
  '--disable-software-rasterizer --disable-quic --disable-background-networking --disable-component-update';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let shared: Promise<Browser> | undefined;

export const sharedBrowser = (): Promise<Browser> =>
  (shared ??= ensureProgram('chromium').then((executablePath) =>
    chromium.launch({ executablePath, args: FLAGS.split(' ') }),
  ));

export interface Watched {
  page: Page;
  context: BrowserContext;
  /** errors, dialogs, requests to other origins */
  troubles: string[];
  requests: string[];
  close(): Promise<void>;
}

async function openTab(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Watched> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    requests.push(request.url());
    if (new URL(request.url()).origin !== origin) troubles.push(`request: ${request.url()}`);
  });
  return { page, context, troubles, requests, close: () => context.close() };
}

/** Runs axe-core (WCAG 2.2 AA and good practice). */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate((runOnly) => {
    const { axe } = window as unknown as { axe: { run(what: Document, how: object): Promise<AxeResults> } };
    return axe.run(document, { runOnly, resultTypes: ['violations'] });
  }, rules);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found, where).toEqual([]);
}

export type Look = Readonly<
  Pick<Required<BrowserContextOptions>, 'colorScheme' | 'viewport'> &
    Pick<BrowserContextOptions, 'forcedColors'>
>;

export async function expectToFit(page: Page, where: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over, `${where}: wider than the screen`).toBeLessThanOrEqual(0);
}

/** The reader doubles the size of the text, as in the settings of the browser (WCAG 1.4.4). */
export async function withLargeText(page: Page, work: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  try {
    await work();
  } finally {
    await session.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
    await session.detach();
  }
}

/** The sum is at least the cumulative layout shift, which counts only the worst five seconds. */
export async function expectSteady(page: Page, where: string): Promise<void> {
  const shifts = await page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    const entries = observer.takeRecords() as unknown as { value: number; hadRecentInput: boolean }[];
    observer.disconnect();
    return entries.filter((entry) => !entry.hadRecentInput).reduce((sum, entry) => sum + entry.value, 0);
  });
  expect(shifts, `${where}: the layout shifts`).toBeLessThanOrEqual(0.03);
}

/** Markup and style sheets, gzipped, without fonts. */
export async function expectLight(page: Page, where: string): Promise<void> {
  const sheets = await page
    .locator('link[rel=stylesheet]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  const parts = await Promise.all([
    page.content(),
    ...sheets.map(async (url) => (await page.request.get(url)).body()),
  ]);
  const bytes = parts.reduce((sum, part) => sum + gzipSync(part).length, 0);
  expect(bytes, `${where}: the weight of markup and style`).toBeLessThanOrEqual(25_000);
}

/** A link in a sentence may be as high as its line. */
export async function expectTargets(page: Page, where: string): Promise<void> {
  const small = await page.evaluate(() => {
    const isInSentence = (element: HTMLElement): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false;
      let block = element.parentElement!;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement!;
      const links = [...block.querySelectorAll('a')].map(({ textContent }) => textContent).join('');
      return block.textContent.replace(/\W/g, '').length > links.replace(/\W/g, '').length;
    };
    return [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, input:not([type=hidden]), select, textarea, summary',
      ),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches('.skip'))
      .flatMap((element) => {
        // A click on a label counts for its field.
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        return Math.min(width, height) >= 24 || isInSentence(element)
          ? []
          : [`${width.toFixed(1)} × ${height.toFixed(1)}: ${element.outerHTML.slice(0, 160)}`];
      });
  });
  expect(small, `${where}: targets below 24 px`).toEqual([]);
}

export async function inTab(
  browser: Browser,
  origin: string,
  work: (tab: Watched) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const tab = await openTab(browser, origin, options);
  try {
    await work(tab);
  } finally {
    await tab.close();
  }
}

export async function expectReachable(page: Page, where: string): Promise<void> {
  const count = await page.evaluate(() => {
    const targets = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
    const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true });
    const left = new Set(
      [...document.querySelectorAll<HTMLElement>(targets)].filter(
        (element) => isShown(element) && !element.matches(':disabled'),
      ),
    );
    const unseen: string[] = [];
    document.addEventListener('focusin', ({ target }) => {
      const element = target as HTMLInputElement;
      left.delete(element);
      if (element.type === 'radio')
        for (const other of left) if ((other as HTMLInputElement).name === element.name) left.delete(other);
      if (getComputedStyle(element).outlineStyle === 'none') unseen.push(element.outerHTML);
    });
    Object.assign(window, { tabbed: { left, unseen } });
    // Scrolling lines take the focus too.
    const scrolled = [...document.querySelectorAll<HTMLElement>('[tabindex="0"]')].filter(isShown);
    return left.size + scrolled.length;
  });
  expect(count, where).toBeGreaterThan(0);
  const tabbed = (): Promise<{ left: string[]; unseen: string[] }> =>
    page.evaluate(() => {
      const seen = window as unknown as { tabbed: { left: Set<Element>; unseen: string[] } };
      const { left, unseen } = seen.tabbed;
      // A live page may have replaced some elements.
      const still = [...left].filter(({ isConnected }) => isConnected);
      return { left: still.map(({ outerHTML }) => outerHTML), unseen };
    });
  for (let presses = 0; presses < count; presses++) await page.keyboard.press('Tab');
  // Some tab stops belong to the browser.
  for (let more = 0; more < 20 && (await tabbed()).left.length > 0; more++) await page.keyboard.press('Tab');
  expect(await tabbed(), where).toEqual({ left: [], unseen: [] });
}
