// Runs in the soak only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectToFit } from '../testing/browser/browser.ts';
import { BROWSER, overall } from '../testing/browser/verdict.ts';
import type { Json } from '../testing/json.ts';
import { eventually } from '../testing/wait.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { usePages } from '../testing/browser/pages.ts';
import { type Author, newAuthor } from '../testing/system/author.ts';
import { type EachKind, etchOfEachKind } from '../testing/system/etches-of-each-kind.ts';

let author: Author;
let etches: EachKind;
/** signed */
let etch: Json;
const ground = usePages({}, async () => {
  author = await newAuthor(ground.world);
  etches = await etchOfEachKind(author);
  [etch] = await author.anchored(...Object.values(etches).map(({ id }) => id));
});

async function checkAt(page: Page, endpoint: string): Promise<void> {
  await page.getByLabel('RPC endpoint').fill(endpoint);
  await page.getByRole('button', { name: 'Check again' }).click();
}

describe.concurrent('the browser of the reader', () => {
  test('verifies an etch on the chain in every status', async () => {
    await ground.withTab(async ({ page, troubles, requests }) => {
      for (const name of ['signed', 'sealed', 'retracted', 'hostile'] as const) {
        requests.length = 0;
        await page.goto(`${ground.world.url}/e/${etches[name].id}/verify`);
        const readable = name === 'signed' || name === 'hostile';
        // Green means a full proof; an etch without words gets a different verdict.
        expect(await overall(page, BROWSER), name).toBe(readable ? 'pass' : name);
        expect(await page.locator('[data-overall]').textContent(), name).toContain(
          readable ? 'that this service publishes' : '2 of 3 checks passed',
        );
        const verdict = (check: string) => page.locator(`[data-check=${check}]`).getAttribute('data-verdict');
        expect([await verdict('chain'), await verdict('words')], name).toEqual([
          'pass',
          readable ? 'pass' : 'info',
        ]);
        expect(await page.locator('.proof-path .root').count(), name).toBe(1);
        expect(requests, name).toContain(`${ground.world.url}/rpc`);
        const loaded = requests.some((url) => url.includes('/signature.'));
        expect(loaded, name).toBe(name === 'signed');
        expect(troubles, name).toEqual([]);
      }
    });
  });

  test('reads the chain from the reader’s endpoint, and waits if it is down', async () => {
    const node = ground.keep(await startRpcGate(ground.chain.rpcUrl, { toBrowsers: true }));
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, 'read through this service')).toBe('pass');
      await checkAt(page, node.url);
      expect(await overall(page, `read at ${new URL(node.url).origin}`)).toBe('pass');
      await checkAt(page, 'http://127.0.0.1:9');
      expect(await overall(page, 'read at http://127.0.0.1:9')).toBe('wait');
      await page.getByText('Chain, contract, schema and attester', { exact: true }).click();
      await page.getByLabel('Trusted attester').fill(`0x${'1'.repeat(40)}`);
      await checkAt(page, node.url);
      await page.locator('[data-overall=fail]').waitFor();
    });
  });

  test('shows the result of the last check only, whichever ends first', async () => {
    const slow = ground.keep(await startRpcGate(ground.chain.rpcUrl, { toBrowsers: true }));
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    slow.rule = () => released.then(() => undefined);
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, BROWSER)).toBe('pass');
      let ended = 0;
      for (const event of ['requestfinished', 'requestfailed'] as const)
        page.on(event as 'requestfinished', (request) => {
          if (request.url() === slow.url && request.method() === 'POST') ended++;
        });
      await checkAt(page, slow.url);
      await expect.poll(() => slow.asked.length).toBeGreaterThan(0);
      await checkAt(page, 'http://127.0.0.1:9');
      expect(await overall(page, 'read at http://127.0.0.1:9')).toBe('wait');
      release();
      await expect.poll(() => ended).toBe(slow.asked.length);
      await page.waitForTimeout(500);
      expect(await page.locator('[data-overall]').getAttribute('data-overall')).toBe('wait');
      expect(await page.locator('.result').textContent()).toContain('read at http://127.0.0.1:9');
    });
  });

  test('checks a dropped or chosen receipt and finds what was changed in it', async () => {
    const folder = newFolder('receipts');
    const receipt = await author.call('GET', `/api/v1/etches/${etches.signed.id}/receipt`);
    const write = (name: string, value: unknown): string => {
      const file = join(folder, name);
      writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
      return file;
    };
    const html = await ground.world.client.call('GET', `/e/${etches.signed.id}/receipt.html`);
    const good = write('good.json', receipt);
    const words = receipt.canonical_string.replace('lit', 'dim');
    const changed = write('changed.json', { ...receipt, canonical_string: words });
    await ground.withTab(async ({ page, context, troubles }) => {
      await page.goto(`${ground.world.url}/verify`);
      const check = async (give: () => Promise<unknown>): Promise<string> => {
        await page.locator('[data-result]').evaluate((element) => element.replaceChildren());
        await give();
        await page.locator('[data-overall]').waitFor();
        return (await page.locator('[data-overall]').getAttribute('data-overall'))!;
      };
      const hand = await context.newCDPSession(page);
      const zone = page.locator('[data-drop]');
      const isOver = () => zone.evaluate((element) => element.classList.contains('over'));
      const dropped = (file: string) =>
        check(async () => {
          await zone.scrollIntoViewIfNeeded();
          const { x, y, width, height } = (await zone.boundingBox())!;
          const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
            hand.send('Input.dispatchDragEvent', {
              type,
              x: x + width / 2,
              y: y + height / 2,
              data: { items: [], files: [file], dragOperationsMask: 1 },
            });
          await drag('dragEnter');
          await drag('dragOver');
          expect(await isOver()).toBe(true);
          await drag('drop');
        });
      expect(await dropped(good)).toBe('pass');
      expect(await isOver()).toBe(false);
      expect(await dropped(changed)).toBe('fail');
      expect(page.url()).toBe(`${ground.world.url}/verify`);

      const chosen = (file: string) => check(() => page.locator('#receipt-file').setInputFiles(file));
      expect(await chosen(good)).toBe('pass');
      expect(await chosen(write('good.html', html.text))).toBe('pass');
      const path = `/e/${etches.signed.id}/receipt.html?index=1`;
      const placed = await eventually('the index of accounts has the etch', async () => {
        const { text } = await ground.world.client.call('GET', path);
        return text.includes(`00${receipt.hash}"`) && text;
      });
      expect(await chosen(write('placed.html', placed))).toBe('pass');
      const place = page.locator('[data-check=index]');
      expect(await place.textContent()).toMatch(
        /Etch \d+ of \d+ of its author .* has recomputed the index\./,
      );
      expect(await chosen(changed)).toBe('fail');
      expect(await page.locator('[data-overall]').textContent()).toContain(
        'a check failed. The words in this file were changed: their hash no longer matches. Checked by',
      );
      const learn = page.locator('[data-check=words] .learn a');
      expect(await learn.getAttribute('href')).toBe('/verify/how#words');
      const elsewhere = { ...receipt, chain: { ...receipt.chain, chain_id: receipt.chain.chain_id + 1 } };
      expect(await chosen(write('elsewhere.json', elsewhere))).toBe('unpinned');
      expect(await chosen(write('nonsense.json', '{"_format":"other"}'))).toBe('trouble');
      expect(await chosen(write('text.txt', 'no receipt'))).toBe('trouble');
      await expectAccessible(page, '/verify with a result');
      expect(troubles).toEqual([]);
    });
  });

  test('shows where an edited letter breaks the proof, and sends nothing', async () => {
    await ground.withTab(
      async ({ page, troubles, requests }) => {
        await page.goto(`${ground.world.url}/verify/how`, { waitUntil: 'networkidle' });
        await page.evaluate(() =>
          Promise.all(
            [...document.images].map((image) => {
              image.loading = 'eager';
              return image.decode();
            }),
          ),
        );
        const loaded = requests.length;
        const words = page.getByLabel('The words', { exact: true });
        const first = await words.inputValue();
        const result = page.locator('[data-tried]');
        expect(await result.textContent()).toContain('These are the words');
        expect(await page.locator('.tried-steps .same').count()).toBe(2);
        await words.press('End');
        await words.press('Backspace');
        await page.locator('[data-verdict=other]').waitFor();
        expect(await result.textContent()).toMatch(
          /These are different words: their hash is not in the tree.*of its 64 digits/,
        );
        expect(await page.locator('.tried-steps .other').count()).toBe(2);
        await expectAccessible(page, '/verify/how, a letter changed');
        await expectToFit(page, '/verify/how, a letter changed');
        await page.getByRole('button', { name: 'Put the words back' }).click();
        await page.locator('[data-verdict=same]').waitFor();
        expect(await words.inputValue()).toBe(first);
        expect(await page.evaluate(() => document.activeElement!.id)).toBe('tried-words');
        // The page's own program may load late: it carries no typed text.
        const sent = requests.slice(loaded).filter((url) => !/\/assets\/[\w.-]+$/.test(url));
        expect(sent).toEqual([]);
        expect(troubles).toEqual([]);
      },
      { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
    );
    await ground.withTab(
      async ({ page }) => {
        await page.goto(`${ground.world.url}/verify/how`);
        expect(await page.locator('#tried-words').isVisible()).toBe(false);
        const section = page.locator('section[aria-labelledby=try]');
        expect(await section.locator('noscript p').textContent()).toContain(
          'This needs scripts, which are switched off',
        );
        expect(await section.locator('noscript p').isVisible()).toBe(true);
        await section.getByText('Hash the words on the command line').click();
        expect(await section.getByText('| sha256sum').isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });
});

function copyable(page: Page, text: string): { source: Locator; button: Locator } {
  const source = page.locator('[data-copy]', { hasText: text });
  return { source, button: source.locator('xpath=following-sibling::button[1]') };
}

test('Copy puts exactly the shown text on the clipboard and announces it', async () => {
  await ground.withTab(
    async ({ page, troubles }) => {
      await page.goto(`${ground.world.url}/e/${etch.id}`);
      await page.getByText('Technical details', { exact: true }).click();
      for (const text of [etch.hash, etch.salt, etch.short_url, etch.chain.attestation_uid]) {
        const { button } = copyable(page, text);
        await button.click();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
        await page.locator('.visually-hidden[role=status]', { hasText: 'Copied' }).waitFor();
      }
      expect(troubles).toEqual([]);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

test('Copy selects the text if there is no clipboard', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.goto(`${ground.world.url}/e/${etch.id}`);
    await page.getByText('Technical details', { exact: true }).click();
    await copyable(page, etch.hash).button.click();
    await page.locator('.visually-hidden[role=status]', { hasText: 'Selected' }).waitFor();
    expect(await page.evaluate(() => getSelection()!.toString())).toBe(etch.hash);
    expect(troubles).toEqual([]);
  });
});

test('prints everything that a reader needs, and no button', async () => {
  await ground.withTab(async ({ page }) => {
    await page.goto(`${ground.world.url}/e/${etch.id}`);
    await page.emulateMedia({ media: 'print' });
    for (const lost of ['.site-header nav', '.site-footer nav', '.copy', 'main button', 'summary']) {
      expect(await page.locator(lost).count(), lost).toBeGreaterThan(0);
      expect(await page.locator(lost).filter({ visible: true }).count(), lost).toBe(0);
    }
    const main = page.locator('main');
    for (const text of [etch.content, etch.url, etch.short_url, etch.canonical_string])
      expect(await main.getByText(text).first().isVisible(), text).toBe(true);
    const written = await main.locator('a').evaluateAll((links) =>
      links
        .filter((link) => link.checkVisibility())
        .filter((link) => getComputedStyle(link, '::after').content.includes('('))
        .map((link) => link.getAttribute('href')),
    );
    expect(written).toEqual(
      expect.arrayContaining([
        `/e/${etch.id}/verify`,
        `/e/${etch.id}/receipt.html`,
        `/api/v1/etches/${etch.id}/receipt`,
      ]),
    );
    expect(written).not.toContain(etch.url);
  });
});
