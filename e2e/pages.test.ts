import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  expectAccessible,
  expectFocusable,
  expectReachable,
  expectTargets,
  expectToFit,
  type Look,
  openTab,
  show,
} from '../testing/browser/browser.ts';
import { enterTrust, publishedTrust } from '../testing/browser/trust.ts';
import { newFolder } from '../testing/machine/folder.ts';
import type { Json } from '../testing/json.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { usePages } from '../testing/browser/pages.ts';
import { type Author, newAuthor } from '../testing/system/author.ts';

// The pages in a real browser, on a real chain: read without scripts, verified with them.
let author: Author;
let etches: Record<'signed' | 'sealed' | 'retracted' | 'hostile' | 'emoji' | 'word', Json>;
let challenge: Json;
/** of the tree that holds the signed etch */
let root: string;
const ground = usePages({}, async () => {
  author = await newAuthor(ground.world);
  await seed();
});

async function seed(): Promise<void> {
  const reveal = new Date(Date.now() + 86_400_000).toISOString();
  const content = 'Signed: the lighthouse stays lit.';
  const hash = createHash('sha256').update(content).digest('hex');
  const question = {
    question: 'Which day brings the first frost?',
    category_id: 'science',
    reveal_at: reveal,
  };
  challenge = (await author.call('POST', '/api/v1/challenges', question)).challenge;
  etches = {
    signed: await author.etch({
      content,
      signature: author.agent.sign(`svc-sig:v1|${author.agent.userId}|${hash}`),
    }),
    sealed: await author.etch({ content: 'Not to be seen yet', mode: 'delayed', reveal_at: reveal }),
    retracted: await author.etch({ content: 'To be taken back' }),
    hostile: await author.etch({
      content:
        '<script>alert(1)</script> </script><!-- \u202e reversed \u001b[31m <img src=x onerror=alert(2)>',
      description: '</title><script>alert(3)</script>',
    }),
    emoji: await author.etch({ content: '😀'.repeat(2_000) }),
    word: await author.etch({ content: 'W'.repeat(2_000), description: 'L'.repeat(140) }),
  };
  await author.etch({ mode: 'delayed', challenge_id: challenge.id });
  await author.call('POST', `/api/v1/etches/${etches.retracted.id}/retract`);
  await author.anchored(...Object.values(etches).map(({ id }) => id));
  root = (await author.call('GET', `/api/v1/etches/${etches.signed.id}`)).etch.chain.root;
}

const paths = (): string[] => [
  '/',
  ...Object.values(etches).map(({ id }) => `/e/${id}`),
  `/e/${etches.signed.code}`,
  `/e/${etches.signed.id}/verify`,
  `/e/${etches.sealed.id}/verify`,
  `/e/${etches.retracted.id}/verify`,
  `/e/${etches.hostile.id}/receipt.html`,
  ...Object.values(etches).map(({ id }) => `/e/${id}/embed`),
  `/ch/${challenge.id}`,
  '/challenges?status=all',
  `/u/${author.agent.username}`,
  '/search?q=tide&status=revealed',
  '/search?in=accounts&q=agent',
  '/search?in=challenges&q=frost',
  '/topics/science',
  '/verify',
  '/open',
  '/status',
  '/about',
  '/privacy',
  '/trees',
  `/trees/${root}`,
  '/docs',
  // Leads to the embedded issuer's own page.
  '/sign-in/start?return=/',
];

/** One page of each kind; at full count all of each. */
const kinds = (): string[] =>
  AT_FULL_COUNT
    ? paths()
    : [
        '/',
        ...['', '/verify', '/embed'].map((end) => `/e/${etches.signed.id}${end}`),
        `/e/${etches.hostile.id}/receipt.html`,
        `/ch/${challenge.id}`,
        `/u/${author.agent.username}`,
        '/search?q=tide&status=revealed',
        '/topics/science',
        '/verify',
        '/open',
        '/status',
        '/about',
        '/trees',
        `/trees/${root}`,
        '/docs',
        '/sign-in/start?return=/',
      ];

/** Of the hundred and more parts of the reference, which are alike, a few are enough; at full count all are looked at. */
async function thinOut(page: Page): Promise<void> {
  if (AT_FULL_COUNT) return;
  await page.evaluate(() =>
    [...document.querySelectorAll('.reference article')].slice(8).forEach((part) => part.remove()),
  );
}

/** The verdict of all checks, once there is one; `by` is who says so. */
async function overall(page: Page, by: string): Promise<string> {
  const shown = page.locator('[data-overall]', { hasText: by });
  await shown.waitFor({ timeout: 90_000 });
  return (await shown.getAttribute('data-overall'))!;
}

const BROWSER = 'Checked by your own browser';

const LIGHT: Look = { colorScheme: 'light', viewport: { width: 1280, height: 900 } };
const DARK: Look = { colorScheme: 'dark', viewport: { width: 390, height: 800 } };
/** Gone through key by key, and in the other theme; at full count all of them are. */
const BY_HAND = (): string[] => ['/', `/e/${etches.signed.id}`, `/ch/${challenge.id}`, '/verify'];

describe.concurrent('every public page', () => {
  const opened = async (page: Page, path: string): Promise<void> => {
    const response = await page.goto(ground.world.url + path);
    expect(response!.status(), path).toBe(200);
    expect((await page.locator('h1').textContent())!.trim(), path).not.toBe('');
    // The chain is not ours, whatever it is called: proofs on it convince others.
    expect(await page.locator('.devnet').count(), path).toBe(0);
  };
  const fits = async (page: Page, path: string): Promise<void> => {
    await expectToFit(page, path);
    await expectTargets(page, path);
  };

  test('reads well on a small screen without scripts', async () => {
    await ground.withTab(
      async ({ page, troubles }) => {
        for (const path of kinds()) {
          await opened(page, path);
          await fits(page, path);
          expect(troubles, path).toEqual([]);
        }
      },
      { javaScriptEnabled: false, colorScheme: 'light', viewport: { width: 320, height: 800 } },
    );
  });

  // Loaded anew for each look, with every rule, at full count; else the page that is open is made narrow and dark.
  test.each(AT_FULL_COUNT ? [[LIGHT], [DARK]] : [[LIGHT, DARK]])('reads well: %o', async (...looks) => {
    const [first, then] = looks as [Look, Look?];
    await ground.withTab(async ({ page, troubles }) => {
      for (const path of kinds()) {
        await opened(page, path);
        await thinOut(page);
        if (/\/e\/.*(verify|html)$/.test(path)) await overall(page, BROWSER);
        await fits(page, path);
        await expectAccessible(page, path);
        if (first === LIGHT)
          await (AT_FULL_COUNT || BY_HAND().includes(path) ? expectReachable : expectFocusable)(page, path);
        if (then && BY_HAND().includes(path)) {
          await show(page, then);
          await fits(page, path);
          await expectAccessible(page, path, { look: true });
          await show(page, first);
        }
        expect(troubles, path).toEqual([]);
      }
    }, first);
  });

  test('loads no script to be read, and none that it does not need', async () => {
    await ground.withTab(async ({ page, requests }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}`);
      expect(
        requests
          .filter((url) => url.endsWith('.js'))
          .map((url) => /\/(\w+)\./.exec(new URL(url).pathname)![1]),
      ).toEqual(['copy', 'live', 'times']);
    });
  });

  test('is reached by keyboard, the content first', async () => {
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement!.textContent)).toContain('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement!.id)).toBe('main');
    });
  });

  test('that is the reference is searched without a mouse, and each field has a link', async () => {
    await ground.withTab(async ({ page, troubles }) => {
      await page.goto(`${ground.world.url}/docs`);
      await page.getByLabel('Search operations, schemas and fields').fill('reveal sealed etch');
      await page.getByText(/^\d+ found/).waitFor();
      if (AT_FULL_COUNT) await expectAccessible(page, '/docs, searched', { look: true });
      await page.getByLabel('Search operations, schemas and fields').fill('delayedetch reveal_at');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).hash).toBe('#DelayedEtch.reveal_at');
      expect(await page.locator(':target').textContent()).toContain('required, string (date-time)');
      expect(troubles).toEqual([]);
    });
  });

  test('that is not there says so in the same look', async () => {
    await ground.withTab(async ({ page }) => {
      const response = await page.goto(`${ground.world.url}/e/zzzzzz`);
      expect(response!.status()).toBe(404);
      await expectAccessible(page, 'the 404');
    });
  });
});

describe.concurrent('the reader’s own browser', () => {
  test('opens an opening by the signature that was entered, and asks nobody', async () => {
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
      await page.getByLabel('Relay of the drand network').fill('');
      const choose = (file: string) => page.getByLabel('Drop an opening here').setInputFiles(file);
      const result = page.locator('[data-result]');
      await choose(save('held.json', held.opening));
      await page.locator('[data-overall=wait]').waitFor();
      expect(await result.textContent()).toContain('It is still sealed.');
      await page.getByLabel('Or the round’s signature').fill(beacon.signature as string);
      await page.getByLabel('Keys of promises').fill(held.opening.public_key as string);
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

  test('verifies an etch on the chain, whatever became of it', async () => {
    await ground.withTab(async ({ page, troubles, requests }) => {
      for (const name of ['signed', 'sealed', 'retracted', 'hostile'] as const) {
        requests.length = 0;
        await page.goto(`${ground.world.url}/e/${etches[name].id}/verify`);
        const readable = name === 'signed' || name === 'hostile';
        // Green is for a full proof: what has no words gets a verdict of its own.
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
        // Ed25519 comes only for a signed one.
        expect(
          requests.some((url) => url.includes('/signature.')),
          name,
        ).toBe(name === 'signed');
        expect(troubles, name).toEqual([]);
      }
    });
  });

  test('reads the chain wherever the reader says, and an endpoint that is down is no fault of the etch', async () => {
    const node = ground.keep(await startRpcGate(ground.chain.rpcUrl, { toBrowsers: true }));
    await ground.withTab(async ({ page }) => {
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, 'less independent')).toBe('pass');
      await page.getByLabel('RPC endpoint').fill(node.url);
      await page.getByRole('button', { name: 'Check again' }).click();
      expect(await overall(page, `asked at ${new URL(node.url).origin}`)).toBe('pass');
      await page.getByLabel('RPC endpoint').fill('http://127.0.0.1:9');
      await page.getByRole('button', { name: 'Check again' }).click();
      expect(await overall(page, 'asked at http://127.0.0.1:9')).toBe('wait');
      await page.getByText('Chain, contract, schema and attester', { exact: true }).click();
      await page.getByLabel('RPC endpoint').fill(node.url);
      await page.getByLabel('Attester whose word counts').fill(`0x${'1'.repeat(40)}`);
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.locator('[data-overall=fail]').waitFor();
    });
  });

  test('checks a receipt that is dropped, and finds what was changed in it', async () => {
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
      const elsewhere = { ...receipt, chain: { ...receipt.chain, chain_id: receipt.chain.chain_id + 1 } };
      expect(await check(write('elsewhere.json', JSON.stringify(elsewhere)))).toBe('unpinned');
      expect(await check(write('nonsense.json', '{"_format":"other"}'))).toBe('trouble');
      expect(await check(write('text.txt', 'no receipt'))).toBe('trouble');
      await expectAccessible(page, '/verify with a result');
      expect(troubles).toEqual([]);
    });
  });

  test('shows by an edited letter where it breaks, and sends nothing', async () => {
    await ground.withTab(
      async ({ page, troubles, requests }) => {
        await page.goto(`${ground.world.url}/verify`, { waitUntil: 'networkidle' });
        const loaded = requests.length;
        const words = page.getByLabel('The words', { exact: true });
        const first = await words.inputValue();
        const told = page.locator('[data-tried]');
        expect(await told.textContent()).toContain('These are the words');
        await words.press('End');
        await words.press('Backspace');
        await page.locator('[data-verdict=other]').waitFor();
        expect(await told.textContent()).toMatch(
          /These are other words: it breaks at the hash.*of its 64 digits/,
        );
        expect(await page.locator('.tried-steps .other').count()).toBe(2);
        await expectAccessible(page, '/verify, a letter changed');
        await expectToFit(page, '/verify, a letter changed');
        await page.getByRole('button', { name: 'Put the words back' }).click();
        await page.locator('[data-verdict=same]').waitFor();
        expect(await words.inputValue()).toBe(first);
        expect(await page.evaluate(() => document.activeElement!.id)).toBe('tried-words');
        expect(requests.length).toBe(loaded);
        expect(troubles).toEqual([]);
      },
      { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
    );
    await ground.withTab(
      async ({ page }) => {
        await page.goto(`${ground.world.url}/verify`);
        expect(await page.locator('#tried-words').isVisible()).toBe(false);
        const section = page.locator('section[aria-labelledby=try]');
        expect(await section.locator('noscript p').textContent()).toContain('Nothing is tried here without');
        expect(await section.locator('noscript p').isVisible()).toBe(true);
        expect(await section.getByText('| sha256sum').isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });

  test('opens the saved receipt from disk, where it checks itself', async () => {
    const file = join(newFolder('saved'), 'receipt.html');
    const html = await ground.world.client.call('GET', `/e/${etches.hostile.id}/receipt.html`);
    writeFileSync(file, html.text);
    const tab = await openTab(ground.browser, ground.world.url);
    const { context, page, troubles, requests } = tab;
    try {
      await page.goto(pathToFileURL(file).href);
      // Whoever forges a file names the attester in it as well.
      expect(await overall(page, BROWSER)).toBe('unpinned');
      expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([
        `${ground.world.url}/rpc`,
        `${ground.world.url}/rpc`,
      ]);
      expect(troubles.filter((trouble) => !trouble.startsWith('request: file:'))).toEqual([]);
      await expectAccessible(page, 'the saved receipt');
      await enterTrust(page, await publishedTrust(ground.world.url));
      expect(await overall(page, 'with the values that you entered')).toBe('pass');
      await expectAccessible(page, 'the saved receipt, by the reader’s values');
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.locator('[data-overall=wait]').waitFor();
      expect(await page.locator('[data-check=words]').getAttribute('data-verdict')).toBe('pass');
    } finally {
      await tab.close();
    }
  });
});

test('with the chain down every page still answers, and says what holds', async () => {
  await ground.gate.close();
  try {
    await ground.withTab(async ({ page, context }) => {
      for (const path of paths()) {
        const answer = await context.request.get(ground.world.url + path);
        expect(answer.status(), path).toBe(200);
      }
      await page.goto(`${ground.world.url}/e/${etches.signed.id}/verify`);
      expect(await overall(page, BROWSER)).toBe('wait');
      expect(await page.locator('[data-check=words]').getAttribute('data-verdict')).toBe('pass');
      expect(await page.locator('[data-check=batch]').getAttribute('data-verdict')).toBe('pass');
      expect(await page.locator('[data-check=chain]').textContent()).toContain(
        'This says nothing about the etch.',
      );
    });
  } finally {
    await ground.gate.open();
  }
});
