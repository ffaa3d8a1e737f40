// Runs in the soak only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../testing/browser/browser.ts';
import { signIn, utcField } from '../testing/browser/sign-in.ts';
import { usePages } from '../testing/browser/pages.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { PATIENCE_MS } from '../testing/wait.ts';

const ground = usePages();
/** The test moves the clock past it, so no answer can come too late. */
const OPEN_SECONDS = 1_800;
const WAIT = { timeout: PATIENCE_MS };
const forecasts = [
  ['bea', '0.9', '0.0100'],
  ['cai', '0.6', '0.1600'],
  ['dov', '0.2', '0.6400'],
] as const;

test('a challenge gets forecasts, closes, is resolved, and shows its standings', async () => {
  let challenge = '';
  await ground.withTab(async ({ page }) => {
    await signIn(page, ground.world.url, 'ada', '/challenges/new');
    await page.getByLabel('The question').fill('Does the swallow come before May? [yes|no]');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Closes at (UTC)').fill(utcField(OPEN_SECONDS));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Ask it' }).click();
    await page.waitForURL('**/ch/*');
    challenge = page.url().slice(ground.world.url.length);
  });
  for (const [index, [name, probability]] of forecasts.entries())
    await ground.withTab(
      async ({ page, troubles }) => {
        await signIn(page, ground.world.url, name);
        await page.goto(`${ground.world.url}${challenge}`);
        await page.getByLabel('Your reasons').fill(`So says ${name}.`);
        await page.getByLabel('yes', { exact: true }).fill('140');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.locator('#forecast .wrong-note').getByText('140 % is not a chance').waitFor();
        await page.getByLabel('yes', { exact: true }).fill(String(100 * Number(probability)));
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByText(`yes ${100 * Number(probability)} %`).waitFor();
        await page.getByRole('button', { name: 'Seal it' }).click();
        await page.waitForURL('**/e/*');
        expect(await page.locator('body').textContent()).not.toContain(probability);
        expect(troubles.filter((one) => !one.includes('400'))).toEqual([]);
      },
      { javaScriptEnabled: index !== 1 },
    );
  const id = challenge.slice('/ch/'.length);
  const score = async () => (await ground.world.client.call('GET', `/api/v1/challenges/${id}/score`)).body;
  expect((await score()).counts).toMatchObject({ forecasts: 3, sealed: 3, scored: 0 });
  await ground.clock.advance(OPEN_SECONDS);
  await expect.poll(async () => (await score()).counts.unresolved, WAIT).toBe(3);
  await ground.withTab(
    async ({ page, troubles }) => {
      await signIn(page, ground.world.url, 'ada');
      await shownAfter(page, `${ground.world.url}/inbox`, '1 to resolve');
      await fits(page);
      await page.getByText('Resolve', { exact: true }).click();
      await page.getByLabel('yes', { exact: true }).check();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'What came true?' }).waitFor();
      await page.getByText('Say where anyone can check it').first().waitFor();
      await fits(page);
      await page.getByLabel('Source').fill('https://birds.example.org/swallow');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
      await fits(page);
      await page.getByRole('button', { name: 'Publish the outcome' }).click();
      await page.getByText('Your outcome is published').waitFor();
      expect(troubles.filter((one) => !one.includes('400'))).toEqual([]);
    },
    { javaScriptEnabled: false },
  );
  await expect.poll(async () => (await score()).counts.scored, WAIT).toBe(3);
  const ranks = ['1st', '2nd', '3rd'];
  for (const [index, [name, , brier]] of forecasts.entries())
    await ground.withTab(
      async ({ page, troubles }) => {
        await signIn(page, ground.world.url, name);
        await shownAfter(page, `${ground.world.url}/inbox`, 'Resolved: yes');
        await page.getByText(`You ranked ${ranks[index]} of 3.`).waitFor();
        await fits(page);
        await page.goto(`${ground.world.url}${challenge}`);
        await page.getByRole('link', { name: 'your answer' }).click();
        await page.getByText(`Brier score ${Number(brier).toFixed(2)}`).waitFor();
        await page.locator('.tag', { hasText: 'Resolved: yes' }).waitFor();
        await fits(page);
        await page.getByRole('link', { name: 'Resolved by the author of the challenge' }).click();
        await page.getByText('birds.example.org/swallow').first().waitFor();
        await fits(page);
        expect(troubles).toEqual([]);
      },
      { javaScriptEnabled: index === 0 },
    );
  const shown: string[] = [];
  for (const javaScriptEnabled of [true, false])
    await ground.withTab(
      async ({ page, troubles }) => {
        await page.goto(`${ground.world.url}${challenge}`);
        const standings = page.locator('.standings');
        await page.getByText('Yes. @bea was closest: 90 %.').waitFor();
        await page.getByRole('link', { name: 'birds.example.org/swallow' }).first().waitFor();
        await page.locator('.tag', { hasText: /^\s*Resolved$/ }).waitFor();
        await fits(page);
        const rows = await standings.locator('.figures').first().locator('tbody tr').allTextContents();
        expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual(
          forecasts.map(
            ([name, said, brier], at) =>
              `${at + 1}@${name}${100 * Number(said)} %, the answer of @${name} and its proof${Number(brier).toFixed(2)}`,
          ),
        );
        shown.push(await standings.innerText());
        await page.goto(`${ground.world.url}/u/bea`);
        const record = page.locator('.track-record');
        await record.getByText('1 forecast scored.').waitFor();
        await record.getByText('Average Brier score 0.01, where always saying 50 % scores 0.25.').waitFor();
        await record.getByText('All measures').click();
        await record.getByText('0.0100 over 1').waitFor();
        expect(troubles).toEqual([]);
      },
      { javaScriptEnabled },
    );
  expect(shown[0]).toBe(shown[1]);
});

async function fits(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const { wide, shown } = await page.locator('html').evaluate((root) => ({
      wide: root.scrollWidth,
      shown: root.clientWidth,
    }));
    expect(wide, `${page.url()} at ${width}`).toBeLessThanOrEqual(shown);
  }
}

async function shownAfter(page: Page, url: string, words: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(url);
      return page.locator('main').innerText();
    }, WAIT)
    .toContain(words);
}

test('commits to files and compares them in the browser without sending them', async () => {
  await ground.withTab(async ({ page, troubles }) => {
    const secret = 'the weir is blown on Friday';
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from(secret) };
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await signIn(page, ground.world.url, 'eve');
    await page.goto(`${ground.world.url}/write`);
    const folder = newFolder('weir');
    mkdirSync(join(folder, 'parts'));
    writeFileSync(join(folder, 'a.txt'), secret);
    writeFileSync(join(folder, 'parts', 'b.txt'), secret);
    await page.getByLabel('Files', { exact: true }).check();
    await page.getByLabel('Add a folder…').setInputFiles(folder);
    await page.getByText('2 files').waitFor();
    const { files } = JSON.parse((await savedManifest(page)).toString()) as { files: { name: string }[] };
    expect(
      files.map(({ name }) => name),
      'told from the folder',
    ).toEqual(['a.txt', 'parts/b.txt']);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByLabel('Add files…').setInputFiles(file);
    await page.getByText('1 file').waitFor();
    const manifest = await savedManifest(page);
    expect(JSON.parse(manifest.toString()).files[0]).toMatchObject({
      name: 'plan.txt',
      size: secret.length,
    });
    await page.getByRole('textbox', { name: 'Description' }).fill('A plan');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Public at once').check();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.file-rows', { hasText: `plan.txt ${secret.length} bytes` }).waitFor();
    await expectAccessible(page, 'the preview of files');
    await page.getByRole('button', { name: 'Etch it' }).click();
    expect(page.url()).toBe(`${ground.world.url}/write`);
    expect(await savedManifest(page)).toEqual(manifest);
    await page.getByLabel('I saved the manifest').check();
    await page.getByRole('button', { name: 'Etch it' }).click();
    await page.waitForURL('**/e/*');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const etched = page.url();
    // The next files keep their manifest, also within the minute of the etch.
    await page.goto(`${ground.world.url}/write?kind=files`);
    await page.getByLabel('Add files…').setInputFiles(file);
    await page.getByRole('link', { name: 'Save the manifest' }).waitFor();
    await page.getByRole('textbox', { name: 'Description' }).fill('A second plan');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Public at once').check();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.file-rows', { hasText: 'plan.txt' }).waitFor();
    await page.goto(etched);
    const key = { name: 'kept.json', mimeType: 'application/json', buffer: manifest };
    const other = { ...file, name: 'other.txt', buffer: Buffer.from(`${secret}.`) };
    for (const path of ['', '/verify']) {
      if (path !== '') await page.goto(page.url() + path);
      await page.getByLabel('Add files…').setInputFiles([key, file, other]);
      await page.locator('li.pass', { hasText: 'plan.txt matches plan.txt under the root' }).waitFor();
      await page.locator('li.fail', { hasText: 'other.txt matches no file under the root' }).waitFor();
    }
    expect(sent.join('\n')).toContain('svc-files');
    expect(sent.join('\n')).not.toContain('weir');
    expect(troubles).toEqual([]);
  });
});

async function savedManifest(page: Page): Promise<Buffer> {
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the manifest' }).click();
  return readFileSync(await (await saving).path());
}
