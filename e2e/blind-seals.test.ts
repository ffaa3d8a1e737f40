// Runs in the soak only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blindWords, readBlindSeal } from '@svc/protocol/conventions';
import { parseChainInfo, roundAt, sealBlind, timelockEncrypt } from '@svc/protocol/timelock';
import { describe, expect, test } from 'vitest';
import { type Beacon, startBeacon } from '../testing/beacon/start-beacon.ts';
import { expectAccessible, expectReachable } from '../testing/browser/browser.ts';
import type { Json } from '../testing/json.ts';
import { signIn, utcField } from '../testing/browser/sign-in.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { usePages } from '../testing/browser/pages.ts';
import { signInAs } from '../testing/browser/steps.ts';
import { newAuthor } from '../testing/system/author.ts';

let beacon: Beacon;
const ground = usePages(async () => {
  beacon = ground.keep(await startBeacon({ genesis: 1_700_000_000, period: 1 }));
  return { MIN_REVEAL_LEAD_SECONDS: '2', ...beacon.settings };
});

describe.concurrent('a blind seal', () => {
  const secret = 'Kingfisher 🌊 <b>\u202e';
  const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(48));
  const wide = { viewport: { width: 1280, height: 900 } };

  test('is written by keyboard, sent in no request, and opened by a signature in the browser', async () => {
    await ground.withTab(async ({ page, context, troubles }) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
      await signIn(page, ground.world.url, 'hal', '/write');
      expect(sent.some((url) => url.includes('/seal-blind.'))).toBe(false);
      await page.getByLabel('Public at once').focus();
      for (let down = 0; down < 2; down++) await page.keyboard.press('ArrowDown');
      await page.getByText('0 of 1,000 bytes').waitFor();
      await page.getByLabel('Forecast', { exact: true }).check();
      await page.locator('#forecast_0').fill('70');
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      await page.getByText('Forecasts in blind seals are not scored').waitFor();
      await page.getByLabel('Files', { exact: true }).check();
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      await page.getByRole('link', { name: 'Add files, or choose “Text”.' }).waitFor();
      await page.getByLabel('Text', { exact: true }).check();
      await page.getByLabel('Your words').fill(`${secret} is the word for it`);
      await page.getByRole('textbox', { name: 'Description' }).fill('Is the word for it in this one?');
      await page.getByLabel('Topic').selectOption('science');
      await page.getByLabel('Opens at (UTC)').fill(utcField(3_600));
      await expectReachable(page, '/write, to be encrypted');
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      await page.getByText('gives “is the word for” of the text away').waitFor();
      await expectAccessible(page, 'a blind seal, once more');
      await expectReachable(page, 'a blind seal, once more');
      const copy = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save your words' }).press('Enter');
      expect((await copy).suggestedFilename()).toMatch(/^blind-seal-\d+\.txt$/);
      await page.getByRole('button', { name: 'Change something' }).press('Enter');
      expect(await page.getByLabel('Your words').inputValue()).toBe(`${secret} is the word for it`);
      await page.getByRole('button', { name: 'Preview' }).press('Enter');
      await context.clearCookies();
      await page.getByRole('button', { name: 'Encrypt and etch it' }).press('Enter');
      await signInAs(page, 'hal');
      await page.getByRole('button', { name: 'Seal it' }).press('Enter');
      await page.waitForURL('**/e/*');
      await page.getByText('this service never had them.').waitFor();
      await page.locator('.countdown', { hasText: /in \d/ }).waitFor();
      await expectAccessible(page, 'a blind seal');
      await expectReachable(page, 'a blind seal');
      expect(sent.some((url) => url.includes('/opening.'))).toBe(false);
      expect(sent.join('\n')).not.toMatch(/kingfisher/i);
      expect(sent.join('\n')).toContain('svc-tlock');
      expect(await page.content()).not.toMatch(/kingfisher/i);

      const words = (await page.locator('[data-ciphertext]').textContent())!;
      const round = Number(words.split('|')[2]);
      const enter = async (signature: string, says: string): Promise<void> => {
        await page.getByLabel('The round’s signature').fill(signature);
        await page.getByRole('button', { name: 'Open it in this browser' }).press('Enter');
        await page.locator('[data-opened] [data-overall]', { hasText: says }).waitFor();
      };
      await page.getByText('With a signature from elsewhere').click();
      await enter(beacon.sign(round - 1), 'This is not the round’s signature.');
      await enter(beacon.sign(round), 'It is open.');
      const opened = page.locator('[data-opened] blockquote');
      expect(await opened.textContent()).toBe('Kingfisher 🌊 <b>U+202E is the word for it');
      await expectAccessible(page, 'a blind seal, open');
      await page.evaluate(() => {
        const part = document.querySelector('[data-part=standing]')!;
        const fresh = part.cloneNode(true) as HTMLElement;
        fresh.querySelector('[data-opened]')!.replaceChildren();
        part.replaceWith(fresh);
      });
      await opened.waitFor();
      expect(troubles).toEqual([]);
    }, wide);
  });

  test('opens by itself at its time; an empty one fails; without scripts nothing is claimed', async () => {
    const author = await newAuthor(ground.world);
    const chain = parseChainInfo(beacon.info);
    const far = roundAt(chain, Date.now() + 3_600_000);
    const junk = blindWords({
      chain: chain.hash,
      round: far,
      ciphertext: timelockEncrypt(chain, far, new Uint8Array(1_002).fill(7), random()),
    });
    const { id: holdsNothing } = await author.etch({ content: junk });
    const sealed = async (): Promise<Json> => {
      const round = roundAt(chain, Date.now() + 5_000);
      await beacon.reach(round);
      const etch = await author.etch({ content: sealBlind(chain, round, secret, random()) });
      // On a busy machine the round may have passed already.
      return readBlindSeal(etch.content as string, etch.created_at as string, chain) ? etch : sealed();
    };
    const { id } = await sealed();
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${id}`);
      await page.locator('[data-overall=pass]').waitFor();
      expect(await page.locator('[data-opened]').textContent()).toContain('Kingfisher');
      expect(await page.locator('.words-absent').isVisible()).toBe(false);
      await page.goto(`${ground.world.url}/e/${holdsNothing}`);
      await page.getByText('With a signature from elsewhere').click();
      await page.getByLabel('The round’s signature').fill(beacon.sign(far));
      await page.getByRole('button', { name: 'Open it in this browser' }).click();
      await page.locator('[data-overall=fail]', { hasText: 'This seal fails.' }).waitFor();
    }, wide);
    await author.anchored(id);
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${id}/verify`);
      await page.locator('[data-overall=sealed]', { hasText: 'Encrypted words:' }).waitFor();
      const result = (await page.locator('[data-result]').innerText()).replace(/\s+/g, ' ');
      expect(result).toContain('This ciphertext existed by');
      expect(result).toContain('What it says, or that it opens.');
      expect(result).not.toContain('svc-tlock');
      await expectAccessible(page, 'a blind seal, verified');
    }, wide);
    await ground.withTab(
      async ({ page }) => {
        await page.goto(`${ground.world.url}/e/${id}`);
        const main = (await page.locator('main').textContent())!;
        expect(main).toContain('this service never had them.');
        expect(main).toContain('Blind seal: can be opened now');
        expect(main).toContain(`svc open ${ground.world.url}/e/${id}`);
        expect(await page.getByRole('button', { name: 'Open it' }).count()).toBe(0);
      },
      { javaScriptEnabled: false },
    );
  });
});

test('opens an opening by an entered signature without any request', async () => {
  const vectors = new URL('../vectors/valid/openings.json', import.meta.url);
  const { openings, beacon } = JSON.parse(readFileSync(vectors, 'utf8'));
  const [held, another] = openings;
  const folder = newFolder('openings');
  const save = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  await ground.withTab(async ({ page, troubles, requests }) => {
    await page.goto(`${ground.world.url}/open`);
    expect(requests.some((url) => url.includes('/opening.'))).toBe(false);
    await page.getByText('Advanced: another relay').click();
    await page.getByLabel('Relay of the drand network').fill('');
    const choose = (file: string) => page.getByLabel('Drop an opening here').setInputFiles(file);
    const result = page.locator('[data-result]');
    await choose(save('held.json', held.opening));
    await page.locator('[data-overall=wait]').waitFor();
    expect(await result.textContent()).toContain('It is still sealed.');
    await page.getByLabel('Or the signature of the round').fill(beacon.signature as string);
    await page.getByLabel('The service’s promise keys').fill(held.opening.public_key as string);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.locator('[data-overall=pass]').waitFor();
    expect(await result.locator('blockquote').textContent()).toBe('It will rain on Sunday.');
    await expectAccessible(page, '/open, opened');
    await choose(save('another.json', another.opening));
    await page.locator('[data-overall=fail]').waitFor();
    expect(await result.textContent()).toContain('This is a broken promise.');
    expect(requests.every((url) => url.startsWith(ground.world.url))).toBe(true);
    expect(troubles).toEqual([]);
  });
});
