// Runs in the soak only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newFolder } from '../testing/machine/folder.ts';
import type { Json } from '../testing/json.ts';
import { usePages } from '../testing/browser/pages.ts';
import { newAuthor } from '../testing/system/author.ts';

let etch: Json;
const ground = usePages({}, async () => {
  const author = await newAuthor(ground.world);
  [etch] = await author.anchored((await author.etch()).id);
});

function copyable(page: Page, text: string): { source: Locator; button: Locator } {
  const source = page.locator('[data-copy]', { hasText: text });
  return { source, button: source.locator('xpath=following-sibling::button[1]') };
}

test('Copy puts exactly the shown text on the clipboard and announces it', async () => {
  await ground.withTab(
    async ({ page, troubles }) => {
      await page.goto(`${ground.world.url}/e/${etch.id}`);
      await page.getByText('Technical details').click();
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
    await page.getByText('Technical details').click();
    await copyable(page, etch.hash).button.click();
    await page.locator('.visually-hidden[role=status]', { hasText: 'Selected' }).waitFor();
    expect(await page.evaluate(() => getSelection()!.toString())).toBe(etch.hash);
    expect(troubles).toEqual([]);
  });
});

test('checks a receipt that is dropped on the page', async () => {
  const folder = newFolder('dropped');
  const receipt = (await ground.world.client.call('GET', `/api/v1/etches/${etch.id}/receipt`)).body;
  const changed = { ...receipt, canonical_string: receipt.canonical_string.replace('tide', 'wind') };
  const write = (name: string, what: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(what));
    return join(folder, name);
  };
  await ground.withTab(async ({ page, context, troubles }) => {
    await page.goto(`${ground.world.url}/verify`);
    const hand = await context.newCDPSession(page);
    const zone = page.locator('[data-drop]');
    let box = { x: 0, y: 0, width: 0, height: 0 };
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel', file: string): Promise<unknown> =>
      hand.send('Input.dispatchDragEvent', {
        type,
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        data: { items: [], files: [file], dragOperationsMask: 1 },
      });
    const isOver = (): Promise<boolean> => zone.evaluate((element) => element.classList.contains('over'));
    const drop = async (file: string): Promise<string> => {
      await page.locator('[data-result]').evaluate((element) => element.replaceChildren());
      await zone.scrollIntoViewIfNeeded();
      box = (await zone.boundingBox())!;
      await drag('dragEnter', file);
      await drag('dragOver', file);
      expect(await isOver()).toBe(true);
      await drag('drop', file);
      await page.locator('[data-overall]').waitFor();
      expect(await isOver()).toBe(false);
      return (await page.locator('[data-overall]').getAttribute('data-overall'))!;
    };
    expect(await drop(write('good.json', receipt))).toBe('pass');
    expect(await drop(write('changed.json', changed))).toBe('fail');
    expect(page.url()).toBe(`${ground.world.url}/verify`);
    expect(troubles).toEqual([]);
  });
});

test('prints everything that a reader needs, and no button', async () => {
  await ground.withTab(async ({ page }) => {
    await page.goto(`${ground.world.url}/e/${etch.id}`);
    await page.emulateMedia({ media: 'print' });
    for (const lost of ['.site-header nav', '.site-footer nav', '.copy', '.actions.lesser', 'summary']) {
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
