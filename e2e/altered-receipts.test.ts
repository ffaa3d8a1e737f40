// Runs in the soak only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { inTab, sharedBrowser } from '../testing/browser/browser.ts';
import { enterTrust, publishedTrust } from '../testing/browser/trust.ts';
import type { Json } from '../testing/json.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { seeded } from '../testing/seeded.ts';
import { leavesOf, nameOf, valueAt, withChange } from '../testing/system/changing-service.ts';
import { newAuthor } from '../testing/system/author.ts';
import { etchOfEachKind } from '../testing/system/etches-of-each-kind.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';
import { PAGE_PATIENCE_MS } from '../testing/wait.ts';

// Each field is changed in turn: no green pixel may remain.
const ground = useGround();
const WORDS = 'Signed: the lighthouse stays lit.';
/** No check can cover these fields: only the receipt's own text contains them. */
const NOT_PROVEN = [
  '_what_this_is',
  '_verify_without_etch',
  'etch_id',
  'author.username',
  'chain.name',
  'chain.tx_hash',
  'inclusion.leaf_rule',
  'inclusion.node_rule',
];

let browser: Browser;
let world: World;
let trust: Record<string, string>;
let receipts: Record<'signed' | 'sealed' | 'retracted', { html: string; receipt: Json }>;
const folder = newFolder('altered');

beforeAll(async () => {
  browser = await sharedBrowser();
  world = ground.keep(await postgresWorld(ground));
  await world.start();
  const author = await newAuthor(world);
  const etches = await etchOfEachKind(author);
  await author.anchored(...Object.values(etches).map(({ id }) => id));
  trust = await publishedTrust(world.url);
  const read = async ({ id }: Json) => ({
    html: (await world.client.call('GET', `/e/${id}/receipt.html`)).text,
    receipt: await author.call('GET', `/api/v1/etches/${id}/receipt`),
  });
  const { signed, sealed, retracted } = etches;
  const [one, two, three] = await Promise.all([read(signed), read(sealed), read(retracted)]);
  receipts = { signed: one, sealed: two, retracted: three };
});

function fileWith(html: string, receipt: Json): string {
  const file = join(folder, 'receipt.html');
  const json = JSON.stringify(receipt).replaceAll('<', '\\u003c');
  writeFileSync(
    file,
    html.replace(/(id="receipt">)[^<]*/, (_all, start: string) => start + json),
  );
  return pathToFileURL(file).href;
}

interface Shown {
  verdict: string;
  green: string[];
  text: string;
}

const look = (page: Page, entered?: Readonly<Record<string, string>>): Promise<Shown> =>
  page.evaluate(
    async ({ fields, patienceMs }) => {
      if (fields) {
        document.querySelector('[data-overall]')!.setAttribute('data-overall', 'none');
        const form = document.querySelector<HTMLFormElement>('[data-trust]')!;
        for (const field of form.querySelectorAll('input')) {
          const value = fields[form.querySelector(`label[for="${field.id}"]`)!.textContent];
          if (value !== undefined) field.value = value;
        }
        form.requestSubmit();
      }
      const until = performance.now() + patienceMs;
      let overall: Element | null;
      while (!(overall = document.querySelector('[data-overall]:not([data-overall=none])'))) {
        if (performance.now() > until) throw new Error('the page shows no verdict');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }

      const probe = document.createElement('p');
      probe.style.cssText = 'color: var(--good); background-color: var(--good-bg)';
      document.body.append(probe);
      const { color, backgroundColor } = getComputedStyle(probe);
      probe.remove();
      const green: string[] = [];
      const properties = [...getComputedStyle(document.body)].filter((name) =>
        /color$|^fill$|^stroke$|image$|shadow$/.test(name),
      );
      for (const element of document.querySelectorAll('body, body *'))
        for (const part of [undefined, '::before', '::after']) {
          const style = getComputedStyle(element, part);
          if (part && ['none', 'normal'].includes(style.content)) continue;
          for (const property of properties) {
            const value = style.getPropertyValue(property);
            if (value.includes(color) || value.includes(backgroundColor))
              green.push(`${element.tagName}.${element.getAttribute('class')} ${property}`);
          }
        }
      return {
        verdict: overall.getAttribute('data-overall')!,
        green,
        text: [...document.querySelectorAll('.result > :not(details)')]
          .map(({ textContent }) => textContent)
          .join(' '),
      };
    },
    { fields: entered, patienceMs: PAGE_PATIENCE_MS },
  );

async function byReader(page: Page): Promise<string> {
  await page.locator('[data-overall]').evaluate((element) => element.setAttribute('data-overall', 'none'));
  await enterTrust(page, trust);
  return (await look(page)).verdict;
}

// The page's policy forbids inline style, which the probe needs.
const withPage = (work: (page: Page) => Promise<void>): Promise<void> =>
  inTab(browser, world.url, ({ page }) => work(page), { bypassCSP: true });

test('shows an unaltered file as neutral, and green only after a full proof by the reader’s values', async () => {
  await withPage(async (page) => {
    for (const [name, expected] of [
      ['signed', 'pass'],
      ['sealed', 'sealed'],
      ['retracted', 'retracted'],
    ] as const) {
      await page.goto(fileWith(receipts[name].html, receipts[name].receipt));
      expect(await look(page), name).toMatchObject({ verdict: 'unpinned', green: [] });
      expect(await byReader(page), name).toBe(expected);
      expect((await look(page)).green.length > 0, name).toBe(expected === 'pass');
    }
  });
});

test('shows no green pixel with any field altered', async () => {
  const dice = seeded(1);
  await withPage(async (page) => {
    for (const { html, receipt } of Object.values(receipts)) {
      for (const leaf of leavesOf(receipt)) {
        const name = nameOf(leaf);
        const changed = withChange(receipt, leaf, dice);
        const where = `${receipt.status}, ${name}`;
        expect(changed, where).not.toEqual(receipt);
        await page.goto(fileWith(html, changed));
        const first = await look(page);
        expect(first.verdict, where).not.toBe('pass');
        expect(first.green, where).toEqual([]);
        const then = await look(page, trust);
        if (NOT_PROVEN.includes(name)) {
          const value = valueAt(changed, leaf) as string;
          expect(then.text, where).not.toContain(value);
        } else {
          expect(then.verdict, where).not.toBe('pass');
          expect(then.green, where).toEqual([]);
        }
      }
    }
  });
});

test('proves nothing outside the receipt: the file contains the words once', async () => {
  const { html, receipt } = receipts.signed;
  expect(html.split(WORDS)).toHaveLength(2);
  await withPage(async (page) => {
    await page.goto(fileWith(html.replaceAll('About the tide', 'Everything here is proven'), receipt));
    expect((await look(page)).verdict).toBe('unpinned');
    expect(await byReader(page)).toBe('pass');
    expect(await page.locator('.words.full').textContent()).toBe(WORDS);
    expect(await page.locator('.result').textContent()).not.toContain('Everything here is proven');
  });
});

test('says that nothing was checked without scripts, in the file and on the page', async () => {
  const { html, receipt } = receipts.signed;
  const check = async ({ page }: { page: Page }) => {
    for (const url of [fileWith(html, receipt), `${world.url}/e/${receipt.etch_id}/verify`]) {
      await page.goto(url);
      expect(await page.locator('[data-overall]').getAttribute('data-overall')).toBe('none');
      expect(await page.locator('[data-overall]').textContent()).toContain('Nothing was checked.');
      expect(await page.locator('.pass:not(.none .pass)').count()).toBe(0);
    }
  };
  await inTab(browser, world.url, check, { javaScriptEnabled: false });
});
