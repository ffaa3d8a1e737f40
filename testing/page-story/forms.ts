import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, expectTargets, expectToFit } from '../browser/browser.ts';
import { lettingIn, unfoldNoscript } from '../browser/without-scripts.ts';

export interface Form {
  name: string;
  scripts: boolean;
  options: BrowserContextOptions;
}

export const FORMS: readonly Form[] = [true, false].flatMap((scripts) =>
  [390, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${scripts ? 'with' : 'without'} scripts, ${width} px, ${colorScheme}`,
      scripts,
      options: { javaScriptEnabled: scripts, colorScheme, viewport: { width, height: 900 } },
    })),
  ),
);

export const expectNoBarrier = (page: Page, { scripts, name }: Form, where: string): Promise<void> => {
  const look = (): Promise<void> => expectAccessible(page, `${name}: ${where}`);
  return scripts ? look() : lettingIn(page, look);
};

/** `ways`: links, buttons and headings that a screen reader must announce. */
export async function expectWell(
  page: Page,
  form: Form,
  where: string,
  { heading, ways = [] }: { heading: string | RegExp; ways?: readonly string[] },
): Promise<void> {
  const place = `${form.name}: ${where}`;
  await expectToFit(page, place);
  await expectTargets(page, place);
  if (!form.scripts) await unfoldNoscript(page);
  await expectToTell(page, place, heading, ways);
  await expectNoBarrier(page, form, where);
}

async function expectToTell(
  page: Page,
  place: string,
  heading: string | RegExp,
  ways: readonly string[],
): Promise<void> {
  const heard = await page.locator('body').ariaSnapshot();
  const landmarks = [
    ...heard.matchAll(/^(?: {2})?- (banner|main|contentinfo|navigation "(?:Site|More)")/gm),
  ].map(([, landmark]) => landmark);
  expect(landmarks, place).toEqual([
    'banner',
    'navigation "Site"',
    'main',
    'contentinfo',
    'navigation "More"',
  ]);
  // A name that looks like syntax is quoted.
  const first = [...heard.matchAll(/- '?heading "((?:[^"\\]|\\.)*)" \[level=1\]/g)].map(([, said]) => said);
  expect(first, place).toEqual([typeof heading === 'string' ? heading : expect.stringMatching(heading)]);
  for (const way of ways) expect(heard, `${place} leads on by ${way}`).toContain(way);
}
