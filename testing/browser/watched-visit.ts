import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { PATIENCE_MS } from '../wait.ts';

type FaultKind = 'alert' | 'status' | 'console' | 'request' | 'width' | 'dialog';

/** Words of the faults that a step must cause. */
type Expected = Partial<Record<FaultKind, string | number>>;

export interface Watch {
  /** Rejects at the first fault. */
  readonly broken: Promise<never>;
  expecting: (expected: Expected, step: () => Promise<unknown>) => Promise<void>;
  /** Looks at the pages as they are now. */
  look: () => Promise<void>;
}

/** The fault `status` has the address too. */
const STATUS_LINE = /^Failed to load resource: the server responded with a status of/;

/**
 * Fails on errors in the console, failed requests, answers of 400 and above, alerts and sideways scrolling, in every
 * page view of the context. Call it before the first page opens.
 */
export async function watchVisit(context: BrowserContext): Promise<Watch> {
  let reject!: (fault: Error) => void;
  const broken = new Promise<never>((_, fail) => (reject = fail));
  broken.catch(() => undefined);
  let missing: Expected = {};
  let allowed: Expected = {};

  function note(kind: FaultKind, what: string, at: string): void {
    if (allowed[kind] !== undefined && what.includes(String(allowed[kind]))) delete missing[kind];
    else reject(new Error(`${kind} on ${at}: ${what}`));
  }

  await context.exposeBinding('noteFault', (_, kind: FaultKind, what: string, at: string) =>
    note(kind, what, at),
  );
  await context.addInitScript(lookAtEachChange);
  context.on('page', (page) => {
    const noteHere = (kind: FaultKind, what: string): void => note(kind, what, page.url());
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !STATUS_LINE.test(message.text()))
        noteHere('console', message.text());
    });
    page.on('pageerror', ({ message }) => noteHere('console', message));
    page.on('dialog', (dialog) => {
      noteHere('dialog', `${dialog.type()} ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('requestfailed', (request) => {
      const { errorText } = request.failure()!;
      // A navigation ends open requests, and a download ends its navigation.
      if (errorText !== 'net::ERR_ABORTED') noteHere('request', `${errorText} ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) noteHere('status', `${response.status()} ${response.url()}`);
    });
  });

  return {
    broken,
    async expecting(expected, step) {
      allowed = expected;
      missing = { ...expected };
      await step();
      const until = performance.now() + PATIENCE_MS;
      while (Object.keys(missing).length > 0) {
        if (performance.now() > until) throw new Error(`this never came: ${JSON.stringify(missing)}`);
        await sleep(20);
      }
      allowed = {};
    },
    async look() {
      for (const page of context.pages()) await lookNow(page);
    },
  };
}

async function lookNow(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate(() => dispatchEvent(new Event('resize')));
  // What the look noted arrives before the next answer. Without scripts, no frame callback would run.
  await page.evaluate(() => undefined);
}

/** Runs in the page, before its scripts. */
function lookAtEachChange(): void {
  const { noteFault } = window as unknown as {
    noteFault: (kind: FaultKind, what: string, at: string) => void;
  };
  const noted = new WeakMap<Element, string>();
  let widest = 0;
  const look = (): void => {
    // Half of an alert may have arrived.
    if (document.readyState === 'loading') return;
    for (const alert of document.querySelectorAll<HTMLElement>('[role=alert]')) {
      const words = alert.innerText.trim().replace(/\s+/g, ' ');
      if (words === '' || !alert.checkVisibility() || noted.get(alert) === words) continue;
      noted.set(alert, words);
      noteFault('alert', words, location.href);
    }
    const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]');
    if ([...sheets].some(({ sheet }) => sheet === null)) return;
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= Math.max(clientWidth, widest)) return;
    widest = scrollWidth;
    noteFault('width', `${scrollWidth} px on a screen of ${clientWidth} px`, location.href);
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  for (const event of ['DOMContentLoaded', 'load', 'resize', 'pagehide']) addEventListener(event, look);
}
