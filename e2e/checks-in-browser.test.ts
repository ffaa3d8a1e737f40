// Runs in the soak only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectToFit } from '../testing/browser/browser.ts';
import { BROWSER, overall } from '../testing/browser/verdict.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { usePages } from '../testing/browser/pages.ts';
import { type Author, newAuthor } from '../testing/system/author.ts';
import { type EachKind, etchOfEachKind } from '../testing/system/etches-of-each-kind.ts';

let author: Author;
let etches: EachKind;
const ground = usePages({}, async () => {
  author = await newAuthor(ground.world);
  etches = await etchOfEachKind(author);
  await author.anchored(...Object.values(etches).map(({ id }) => id));
});

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
          readable ? 'that this service publishes' : '2 of 3 checked',
        );
        expect(await page.locator('[data-check=chain]').getAttribute('data-verdict'), name).toBe('pass');
        expect(await page.locator('[data-check=words]').getAttribute('data-verdict'), name).toBe(
          readable ? 'pass' : 'info',
        );
        expect(await page.locator('.proof-path .root').count(), name).toBe(1);
        expect(requests, name).toContain(`${ground.world.url}/rpc`);
        expect(
          requests.some((url) => url.includes('/signature.')),
          name,
        ).toBe(name === 'signed');
        expect(troubles, name).toEqual([]);
      }
    });
  });

  test('reads the chain from the reader’s endpoint, and waits if it is down', async () => {
    const node = ground.keep(await startRpcGate(ground.chain.rpcUrl, { toBrowsers: true }));
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, 'read through this service')).toBe('pass');
      await page.getByLabel('RPC endpoint').fill(node.url);
      await page.getByRole('button', { name: 'Check again' }).click();
      expect(await overall(page, `read at ${new URL(node.url).origin}`)).toBe('pass');
      await page.getByLabel('RPC endpoint').fill('http://127.0.0.1:9');
      await page.getByRole('button', { name: 'Check again' }).click();
      expect(await overall(page, 'read at http://127.0.0.1:9')).toBe('wait');
      await page.getByText('Chain, contract, schema and attester', { exact: true }).click();
      await page.getByLabel('RPC endpoint').fill(node.url);
      await page.getByLabel('Trusted attester').fill(`0x${'1'.repeat(40)}`);
      await page.getByRole('button', { name: 'Check again' }).click();
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
      const check = async (endpoint: string): Promise<void> => {
        await page.getByLabel('RPC endpoint').fill(endpoint);
        await page.getByRole('button', { name: 'Check again' }).click();
      };
      let ended = 0;
      for (const event of ['requestfinished', 'requestfailed'] as const)
        page.on(event as 'requestfinished', (request) => {
          if (request.url() === slow.url && request.method() === 'POST') ended++;
        });
      await check(slow.url);
      await expect.poll(() => slow.asked.length).toBeGreaterThan(0);
      await check('http://127.0.0.1:9');
      expect(await overall(page, 'read at http://127.0.0.1:9')).toBe('wait');
      release();
      await expect.poll(() => ended).toBe(slow.asked.length);
      await page.waitForTimeout(500);
      expect(await page.locator('[data-overall]').getAttribute('data-overall')).toBe('wait');
      expect(await page.locator('.result').textContent()).toContain('read at http://127.0.0.1:9');
    });
  });

  test('checks a dropped receipt and finds what was changed in it', async () => {
    const folder = newFolder('receipts');
    const receipt = await author.call('GET', `/api/v1/etches/${etches.signed.id}/receipt`);
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const html = await ground.world.client.call('GET', `/e/${etches.signed.id}/receipt.html`);
    const changed = { ...receipt, canonical_string: receipt.canonical_string.replace('lit', 'dim') };
    await ground.withTab(async ({ page, troubles }) => {
      await page.goto(`${ground.world.url}/verify`);
      const input = page.locator('#receipt-file');
      const check = async (file: string): Promise<string> => {
        await page.locator('[data-result]').evaluate((element) => element.replaceChildren());
        await input.setInputFiles(file);
        await page.locator('[data-overall]').waitFor();
        return (await page.locator('[data-overall]').getAttribute('data-overall'))!;
      };
      expect(await check(write('good.json', JSON.stringify(receipt)))).toBe('pass');
      expect(await check(write('good.html', html.text))).toBe('pass');
      expect(await check(write('changed.json', JSON.stringify(changed)))).toBe('fail');
      expect(await page.locator('[data-overall]').textContent()).toContain(
        'a check failed. The words in this file were changed: their hash no longer matches. Checked by',
      );
      expect(await page.locator('[data-check=words] .learn a').getAttribute('href')).toBe(
        '/verify/how#words',
      );
      const elsewhere = { ...receipt, chain: { ...receipt.chain, chain_id: receipt.chain.chain_id + 1 } };
      expect(await check(write('elsewhere.json', JSON.stringify(elsewhere)))).toBe('unpinned');
      expect(await check(write('nonsense.json', '{"_format":"other"}'))).toBe('trouble');
      expect(await check(write('text.txt', 'no receipt'))).toBe('trouble');
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
        const told = page.locator('[data-tried]');
        expect(await told.textContent()).toContain('These are the words');
        expect(await page.locator('.tried-steps .same').count()).toBe(2);
        await words.press('End');
        await words.press('Backspace');
        await page.locator('[data-verdict=other]').waitFor();
        expect(await told.textContent()).toMatch(
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
        expect(await section.getByText('| sha256sum').isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });
});
