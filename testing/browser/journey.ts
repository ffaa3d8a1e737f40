import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { AT_FULL_COUNT } from '../rounds.ts';
import { PAGE_PATIENCE_MS } from '../wait.ts';
import { usePages } from './pages.ts';
import { type Watch, watchVisit } from './watched-visit.ts';

const WIDTHS = [390, 1280] as const;
export type Width = (typeof WIDTHS)[number];

/** Both in the soak. */
export const widths = (normally: Width): readonly Width[] => (AT_FULL_COUNT ? WIDTHS : [normally]);

export interface Visit extends Pick<Watch, 'expecting'> {
  page: Page;
  context: BrowserContext;
  /** of the service, without a slash at the end */
  url: string;
}

interface VisitOptions extends BrowserContextOptions {
  width: Width;
  url: string;
}

/** A browser context that fails on what `watchVisit` names. */
export async function visit(
  browser: Browser,
  { width, url, ...options }: VisitOptions,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, ...options });
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  const { broken, expecting, look } = await watchVisit(context);
  try {
    const page = await context.newPage();
    await Promise.race([work({ page, context, url, expecting }).then(look), broken]);
  } finally {
    await context.close();
  }
}

/** A service, its clock, and visits to it. */
export function useJourneys(settings?: Parameters<typeof usePages>[0]) {
  const ground = usePages(settings);
  let ahead = 0;
  return {
    ground,
    /** For a field in UTC, by the clock of the service. */
    utcField: (seconds: number): string =>
      new Date(Date.now() + (ahead + seconds) * 1000).toISOString().slice(0, 19),
    advance: async (seconds: number): Promise<void> => {
      ahead += seconds;
      await ground.clock.advance(seconds);
    },
    visit: (
      width: Width,
      work: (visit: Visit) => Promise<void>,
      options: BrowserContextOptions = {},
    ): Promise<void> => visit(ground.browser, { width, url: ground.world.url, ...options }, work),
  };
}
