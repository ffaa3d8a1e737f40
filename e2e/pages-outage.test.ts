// Runs in the soak only.
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startIssuer, type StandaloneIssuer } from '../testing/issuer/standalone-issuer.ts';
import { openTab, type Watched } from '../testing/browser/browser.ts';
import { utcField, writeEtch } from '../testing/browser/sign-in.ts';
import { eventually } from '../testing/wait.ts';
import { usePages } from '../testing/browser/pages.ts';

let issuer: StandaloneIssuer;
let tab: Watched;
let etch: string;
let challenge: string;
const ground = usePages(
  async () => {
    issuer = ground.keep(await startIssuer());
    return { IDENTITY_ISSUER: issuer.url, IDENTITY_CLIENT_ID: 'web' };
  },
  async () => {
    await issuer.signIn({
      sub: 'outside|1',
      audience: ground.world.url,
      claims: { preferred_username: 'olga' },
    });
    tab = await openTab(ground.browser, ground.world.url);
    const { page } = tab;
    await signIn(page);
    etch = await writeEtch(page, ground.world.url, {
      content: 'The tide turns.',
      description: 'About the tide',
    });
    await eventually('it is anchored', async () => {
      const answer = await ground.world.client.call('GET', `/api/v1/etches/${etch.slice('/e/'.length)}`);
      return answer.body.etch.chain.status === 'anchored';
    });
    await page.goto(`${ground.world.url}/challenges/new`);
    await page.getByLabel('The question').fill('When does the first swallow come?');
    await page.getByLabel('Topic').selectOption('science');
    await page.getByLabel('Closes at (UTC)').fill(utcField(7_200));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Ask it' }).click();
    await page.waitForURL('**/ch/*');
    challenge = page.url().slice(ground.world.url.length);
  },
);

afterAll(() => tab?.close());

async function signIn(page: Page): Promise<void> {
  await page.goto(`${ground.world.url}/sign-in?return=/account`);
  await page.getByRole('link', { name: 'Continue to sign in' }).click();
  await page.waitForURL(`${ground.world.url}/account`);
}

const everywhere = (): string[] => [
  '/',
  '/search?q=tide',
  '/search?in=accounts&q=olga',
  '/challenges',
  '/topics/science',
  '/u/olga',
  '/u/olga/record.md',
  '/verify',
  '/verify/how',
  etch,
  `${etch}/verify`,
  `${etch}/receipt.html`,
  challenge,
  '/sign-in',
  '/sign-in/start',
];
const own = (): string[] => [
  '/write',
  `/write?challenge=${challenge.slice('/ch/'.length)}`,
  '/challenges/new',
  '/feed',
  '/watching',
  '/account',
  '/account/keys',
  '/account/limits',
  '/account/agents',
  '/account/webhooks',
  `${etch}/retract`,
];

async function expectAnswers(): Promise<void> {
  const stranger = await openTab(ground.browser, ground.world.url);
  try {
    for (const path of everywhere()) {
      const response = await stranger.context.request.get(ground.world.url + path, { maxRedirects: 0 });
      expect(response.status(), path).toBeLessThan(500);
    }
    for (const path of [...everywhere(), ...own()]) {
      const response = await tab.context.request.get(ground.world.url + path);
      expect(response.status(), path).toBeLessThan(500);
    }
  } finally {
    await stranger.close();
  }
}

const words = (): Promise<string> => tab.page.locator('main').innerText();

test('answers and accepts etches without the chain, and says what waits and what holds', async () => {
  await ground.gate.close();
  try {
    await expectAnswers();
    const { page } = tab;
    const plain = await openTab(ground.browser, ground.world.url, { javaScriptEnabled: false });
    await plain.page.goto(`${ground.world.url}${etch}/verify`);
    const checked = await plain.page.locator('main').innerText();
    expect(checked).toMatch(/chain (cannot be reached|could not be (read|reached))/i);
    await plain.close();
    const waiting = await writeEtch(page, ground.world.url, {
      content: 'Written while the chain was away.',
      description: 'Without a chain',
    });
    expect(await words()).toContain('Written, waiting for the chain');
    expect(await words()).toContain('Its hash goes to the chain');
    expect(await words()).toContain('If the chain cannot be reached, the service retries: nothing is lost.');
    expect(await words()).toContain('Written while the chain was away.');
    await page.goto(`${ground.world.url}${waiting}/retract`);
    await page.getByRole('button', { name: 'Retract it for good' }).click();
    await page.waitForURL(ground.world.url + waiting);
    expect(await words()).toContain('Words and salt are permanently erased');
    expect(await words()).toContain('Its hash is not on the chain yet');
    await page.goto(ground.world.url + etch);
    expect(await words()).toContain('The proof is on the chain, so it is valid without this service.');
  } finally {
    await ground.gate.open();
  }
});

test('keeps sessions without the issuer, and lets no one sign in', async () => {
  await issuer.stop();
  try {
    // For some seconds the issuer still counts as reachable.
    await eventually('it is missed', async () => {
      const start = await fetch(`${ground.world.url}/sign-in/start`, { redirect: 'manual' });
      return start.headers.get('location')?.startsWith(issuer.url) !== true;
    });
    await expectAnswers();
    const { page } = tab;
    await writeEtch(page, ground.world.url, {
      content: 'Written while nobody could sign in.',
      description: 'Without an issuer',
    });
    await page.goto(`${ground.world.url}/account`);
    await page.getByRole('button', { name: 'Read it from the identity provider' }).click();
    await page.waitForURL('**/account?away=1');
    expect(await words()).toContain('The identity provider cannot be reached');
    expect(await words()).toContain('nothing was changed');
    expect(await words()).toContain('You stay signed in, and everything else here goes on');
    const stranger = await openTab(ground.browser, ground.world.url);
    await stranger.page.goto(`${ground.world.url}/write`);
    await stranger.page.getByRole('link', { name: 'Continue to sign in' }).click();
    await stranger.page.getByText('Signing in is not possible at the moment').waitFor();
    const said = await stranger.page.locator('main').innerText();
    expect(said).toContain('The identity provider cannot be reached.');
    expect(said).toContain('Reading and searching every public record.');
    expect(said).toContain('receipts can be checked without this service');
    expect(said).toContain('signed-in people stay signed in');
    await stranger.close();
    await page.goto(`${ground.world.url}/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
  } finally {
    await issuer.restart();
  }
  await issuer.signIn({
    sub: 'outside|1',
    audience: ground.world.url,
    claims: { preferred_username: 'olga' },
  });
  await signIn(tab.page);
  expect(await words()).toContain('@olga');
});
