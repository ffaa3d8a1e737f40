// Runs in the soak only.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import {
  expectPicture,
  expectShared,
  openUntil,
  previewAndSend,
  send,
  signInFromHome,
} from '../../testing/browser/steps.ts';
import { PATIENCE_MS } from '../../testing/wait.ts';

const { advance, utcField, visit } = useJourneys();
const OPEN_SECONDS = 1_800;
const ACCOUNTS = ['bea', 'cai', 'dov'] as const;

interface Kind {
  asks: 'Free text' | 'Yes or no' | 'Several outcomes' | 'A number';
  question: string;
  /** labels and what is typed into their fields */
  more?: Record<string, string>;
  /** one for each account, from the best to the worst */
  answers: readonly Record<string, string>[];
  /** what the page says of the answer */
  terms: readonly string[];
  comesTrue?: (page: Page) => Promise<void>;
  resolved?: string;
  /** the headline until it is resolved */
  said?: string;
  /** The headline says this of the best account. */
  best?: string;
  /** The preview of the first answer has it. */
  sentence?: string;
  /** on the record of the first account */
  record: string;
}

const KINDS: readonly Kind[] = [
  {
    asks: 'Yes or no',
    question: 'Does the swallow come before May?',
    answers: [{ yes: '10' }, { yes: '40 %' }, { yes: '80' }],
    terms: ['The chance of yes, from 0 to 100 %'],
    comesTrue: (page) => page.getByLabel('no', { exact: true }).check(),
    said: 'The middle forecast says 40 % for yes.',
    resolved: 'No. @',
    best: '90 % for no',
    record: 'Average Brier score 0.01',
  },
  {
    asks: 'Free text',
    question: 'What does the first swallow bring?',
    answers: [{}, {}, {}],
    terms: ['Words of any kind'],
    record: 'What does the first swallow bring?',
  },
  {
    asks: 'Several outcomes',
    question: 'Which city wins the bid?',
    more: {
      'The outcomes': 'New York\nSão Paulo\n東京',
      'How it will be decided': 'The vote of the committee counts.',
      'Source (optional)': 'https://bid.example.org',
    },
    answers: [
      { 'New York': '70', 'São Paulo': '20', 東京: '10' },
      { 'New York': '40', 'São Paulo': '30', 東京: '30' },
      { 'New York': '10', 'São Paulo': '80', 東京: '10' },
    ],
    terms: [
      '100 % in all',
      'New York',
      'São Paulo',
      '東京',
      'The vote of the committee counts.',
      'https://bid.example.org',
    ],
    comesTrue: (page) => page.getByLabel('New York', { exact: true }).check(),
    resolved: 'New York. @',
    record: 'Average Brier score',
  },
  {
    asks: 'A number',
    question: 'How much rain falls in May?',
    more: { 'The unit': 'mm' },
    answers: [
      { '10 %': '50', '50 %': '60', '90 %': '70' },
      { '10 %': '40', '50 %': '70', '90 %': '100' },
      { '10 %': '1', '50 %': '2', '90 %': '3' },
    ],
    terms: ['3 values in mm: the number is at most each of them'],
    comesTrue: (page) => page.getByLabel('The number, in mm').fill('60'),
    said: 'The middle answer is 60 mm.',
    resolved: '60 mm. @',
    record: 'quantile',
    sentence: '10 % chance of at most 50 mm',
  },
];

/** A second try must not meet the accounts and the question of the first. */
let tries = 0;

describe.each(widths(390))('at %i px', (width) => {
  test.each(KINDS)('a challenge is asked, answered by three accounts, and closed: $asks', async (asked) => {
    const mark = `x${(tries += 1)}x`;
    const kind = { ...asked, question: `${asked.question} (${mark})` };
    let challenge = '';
    const creator = `ada${mark}`;
    await visit(width, async (asker) => {
      challenge = await ask(asker, creator, kind);
    });
    for (const javaScriptEnabled of [true, false])
      await visit(width, ({ page }) => readTerms(page, { challenge, creator, kind }), { javaScriptEnabled });
    for (const [at, name] of ACCOUNTS.entries())
      await visit(width, (answerer) => answer(answerer, { name: name + mark, kind, at, challenge }));
    await visit(width, async (reader) => {
      const { page } = reader;
      await page.goto(challenge);
      await page.getByText('3 sealed').waitFor();
      await advance(OPEN_SECONDS);
      await page
        .locator('.tag')
        .getByText(kind.comesTrue ? 'Closed, not resolved' : 'Closed', { exact: true })
        .waitFor();
      if (kind.said) await page.getByRole('heading', { name: kind.said }).waitFor();
      for (const name of ACCOUNTS) await page.getByText(`So says ${name}${mark}.`).waitFor();
    });
    if (!kind.comesTrue) return;
    await visit(width, (asker) => resolve(asker, creator, kind));
    await visit(width, (reader) => readStandings(reader, { kind, challenge, mark }));
    await visit(width, (loser) => readOwnPlace(loser, { challenge, name: ACCOUNTS.at(-1)! + mark }));
  });
});

async function ask(asker: Visit, name: string, { asks, question, more = {}, terms }: Kind): Promise<string> {
  const { page } = asker;
  await signInFromHome(asker, name);
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Challenges' }).click();
  await page.getByRole('link', { name: 'New challenge' }).click();
  expect(await page.getByLabel('Yes or no').isChecked()).toBe(true);
  await page.getByLabel(asks).check();
  await page.getByLabel('The question').fill(question);
  for (const [label, value] of Object.entries(more)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Closes at (UTC)').fill(utcField(OPEN_SECONDS));
  const counter = page.locator('[data-count="question"]');
  const counted = Number.parseInt(await counter.innerText(), 10);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Forecasters will see this.').waitFor();
  const stored = page.locator('details', { hasText: 'Exactly what is stored and counted' }).locator('code');
  const text = (await stored.textContent())!;
  expect(text).toContain(question);
  expect([...text]).toHaveLength(counted);
  const preview = await page.getByRole('region', { name: 'What forecasters will see' }).innerText();
  for (const part of [question, ...terms]) expect(preview).toContain(part);
  await send(asker, 'Ask it');
  await page.getByRole('heading', { name: question }).waitFor();
  return page.url();
}

/** Before sign-in. */
async function readTerms(
  page: Page,
  { challenge, creator, kind: { terms, comesTrue } }: { challenge: string; creator: string; kind: Kind },
): Promise<void> {
  await page.goto(challenge);
  await page.getByText(/Closes in \d+ min/).waitFor();
  const facts = await page.locator('.facts').first().innerText();
  for (const term of terms) expect(facts).toContain(term);
  expect(facts).toContain(
    comesTrue ? `@${creator}, after the challenge closed, with a source` : 'nobody: readers judge',
  );
  await page.getByText('Embed this challenge').click();
  await page.getByText(`${new URL(challenge).pathname}/embed`).waitFor();
  await page.getByText('You sign in at the last step.').waitFor();
}

type Answer = { name: string; kind: Kind; at: number; challenge: string };

async function answer(answerer: Visit, { name, kind, at, challenge }: Answer): Promise<void> {
  const { page } = answerer;
  await signInFromHome(answerer, name);
  await page.getByRole('link', { name: 'Challenges' }).first().click();
  await page.getByRole('link', { name: kind.question }).first().click();
  await page.waitForURL(challenge);
  for (const [label, value] of Object.entries(kind.answers[at]!))
    await page.getByRole('textbox', { name: label }).fill(value);
  if (kind.asks === 'Several outcomes') {
    const sum = page.getByRole('status', { name: 'Sum of the chances' });
    const expectSum = (said: string) => expect.poll(() => sum.innerText()).toBe(said);
    await expectSum('100 %');
    const [first, last] = Object.entries(kind.answers[at]!).filter((_, n) => n !== 1);
    await page.getByRole('textbox', { name: last![0] }).fill('');
    await page.getByRole('button', { name: 'Spread the rest' }).click();
    const spread = page.getByRole('textbox', { name: last![0] });
    expect(Number.parseFloat(await spread.inputValue()) % 1).toBe(0);
    await expectSum('100 %');
    await page.getByRole('slider', { name: first![0] }).fill('90');
    await sum.filter({ hasText: 'too much' }).waitFor();
    for (const [label] of Object.entries(kind.answers[at]!)) await expectSumBelow(page, label);
    await expectSumRepaired(answerer);
    await expectSum('100 %');
    for (const [label, value] of Object.entries(kind.answers[at]!))
      await page.getByRole('textbox', { name: label }).fill(value);
  }
  if (at === 0 && kind.comesTrue) {
    // Reasons are optional.
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Check before you publish' }).waitFor();
    if (kind.sentence) await page.getByText(kind.sentence).first().waitFor();
    await page.getByRole('button', { name: 'Change something' }).click();
  }
  await page.getByLabel(/Your (words|reasons)/).fill(`So says ${name}.`);
  await previewAndSend(answerer, 'Seal it');
  await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
  // An answer that the chain dates after the close counts as late. The last anchor is the last to come.
  if (at === ACCOUNTS.length - 1) await page.locator('.done-step', { hasText: 'Anchored' }).waitFor();
}

/** The sum is in sight and does not cover the field in use. */
async function expectSumBelow(page: Page, label: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  const field = page.getByRole('textbox', { name: label });
  await field.focus();
  await page.keyboard.type('1');
  const sum = (await page.getByRole('status', { name: 'Sum of the chances' }).boundingBox())!;
  const typed = (await field.boundingBox())!;
  expect(sum.height, 'the sum is one line').toBeLessThan(45);
  expect(sum.y + sum.height, 'the sum is in sight').toBeLessThanOrEqual(page.viewportSize()!.height);
  expect(typed.y + typed.height, 'the sum covers no field in use').toBeLessThanOrEqual(sum.y);
  await page.keyboard.press('Backspace');
}

/** A wrong sum comes back with an error, which goes once the sum is right. */
async function expectSumRepaired({ page, expecting }: Visit): Promise<void> {
  const fault = page.locator('main').getByText(/Your chances add up to .* too much/);
  await expecting({ status: 400, alert: 'too much' }, async () => {
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Not done yet' }).waitFor();
    expect(await fault.count()).toBe(2);
    await page.getByRole('button', { name: 'Scale to 100 %' }).click();
    expect(await fault.count()).toBe(0);
    await page.getByRole('heading', { name: 'Not done yet' }).waitFor({ state: 'hidden' });
  });
}

async function resolve(asker: Visit, name: string, { question, comesTrue }: Kind): Promise<void> {
  const { page } = asker;
  await signInFromHome(asker, name);
  await page.getByRole('heading', { name: '1 to resolve' }).waitFor();
  await openUntil(asker, 'Inbox', '1 to resolve');
  await page.locator('main').getByText(question).waitFor();
  await page.getByText('Say what came true').click();
  await comesTrue!(page);
  await page.getByLabel('Source, where').fill('https://birds.example.org/swallow');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Publish the outcome' }).click();
  await page.getByText('Your outcome is published').waitFor();
  // A resolved challenge leaves the list.
  await openUntil(asker, 'Inbox', 'Nothing yet.');
}

async function readStandings(
  reader: Visit,
  { kind, challenge, mark }: { kind: Kind; challenge: string; mark: string },
) {
  const { page } = reader;
  const standings = page.locator('.standings');
  const main = page.locator('main');
  await expect
    .poll(
      async () => {
        await page.goto(challenge);
        return main.innerText();
      },
      { timeout: PATIENCE_MS },
    )
    .toContain(kind.resolved!);
  expect((await main.innerText()).split(kind.resolved!)).toHaveLength(2);
  expect(await main.innerText()).toMatch(/ was closest[^]*What was said[^]*Standings[^]*lower is better/);
  expect(await standings.locator('.figures').first().locator('caption, tbody th[scope=row]').count()).toBe(4);
  await page.getByText(`@${ACCOUNTS[0]}${mark} was closest${kind.best ? `: ${kind.best}.` : ''}`).waitFor();
  await page.getByRole('link', { name: 'https://birds.example.org/swallow' }).first().waitFor();
  await expectShared(reader);
  await expectPicture(reader, new RegExp(`@${ACCOUNTS[0]}${mark} was closest`));
  const ranked = standings.locator('.figures').first().locator('tbody tr');
  expect(await ranked.locator('a[href^="/u/"]').allTextContents()).toEqual(
    ACCOUNTS.map((name) => `@${name}${mark}`),
  );
  await standings
    .getByRole('link', { name: `@${ACCOUNTS[0]}${mark}` })
    .first()
    .click();
  await page.getByText(kind.record).first().waitFor();
  await expectShared(reader);
}

async function readOwnPlace(loser: Visit, { challenge, name }: { challenge: string; name: string }) {
  const { page } = loser;
  await signInFromHome(loser, name);
  await page.goto(challenge);
  await page.getByText(/You ranked 3rd of 3: (Brier score|quantile loss) \d+\.\d\d( mm)?\./).waitFor();
  await page.locator('.standings tr', { hasText: `@${name} (you)` }).waitFor();
}
