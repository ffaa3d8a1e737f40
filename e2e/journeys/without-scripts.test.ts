// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { describeEtch, expectAfterReload, openUntil, signInFromHome } from '../../testing/browser/steps.ts';

const { advance, utcField, visit } = useJourneys();
const OPEN_SECONDS = 1_200;
const SECTIONS = ['Hypothesis', 'Design', 'Sample', 'Analysis', 'Exclusion rules'] as const;

describe.each(widths(390))('at %i px, without scripts', (width) => {
  const without = (work: (visit: Visit) => Promise<void>): Promise<void> =>
    visit(width, work, { javaScriptEnabled: false });

  test('a challenge is asked, answered, closed and resolved', async () => {
    const question = `Which city wins the bid? (${width})`;
    let challenge = '';
    await without(async (asker) => {
      const { page, expecting } = asker;
      await signInFromHome(asker, `ask${width}`);
      await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Challenges' }).click();
      await page.getByRole('link', { name: 'Ask a challenge' }).click();
      await page.getByLabel('Several outcomes').check();
      await page.getByLabel('The question').fill(question);
      await page.getByLabel('The outcomes').fill('New York\nSão Paulo');
      await page.getByLabel('How it will be decided').fill('The vote of the committee counts.');
      await page.getByLabel('Topic').selectOption('science');
      await expecting({ status: 400 }, () => page.getByRole('button', { name: 'Preview' }).click());
      expect(await page.getByLabel('The outcomes').inputValue()).toBe('New York\nSão Paulo');
      await page.getByLabel('Closes at (UTC)').fill(utcField(OPEN_SECONDS));
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Forecasters will see this.').waitFor();
      await page.getByRole('button', { name: 'Ask it' }).click();
      await page.getByRole('heading', { name: question }).waitFor();
      challenge = page.url();
    });
    await without(async (answerer) => {
      const { page, expecting } = answerer;
      await signInFromHome(answerer, `win${width}`);
      await page.goto(challenge);
      await page.getByRole('textbox', { name: 'New York' }).fill('70');
      await page.getByRole('textbox', { name: 'São Paulo' }).fill('50');
      await expecting({ status: 400 }, () => page.getByRole('button', { name: 'Preview' }).click());
      await page.getByText('add up to 120 %: 20 % too much').first().waitFor();
      await page.getByText('The vote of the committee counts.').waitFor();
      const current = page.getByRole('navigation', { name: 'Site' }).locator('[aria-current]');
      expect(await current.innerText()).toBe('Challenges');
      await page.getByRole('textbox', { name: 'São Paulo' }).fill('30');
      // Reasons are optional.
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Change the forecast' }).click();
      await page.waitForURL('**/write#forecast');
      expect(await page.getByRole('textbox', { name: 'New York' }).inputValue()).toBe('70');
      await page.getByLabel(/Your reasons/).fill('It has the stadium.');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Seal it' }).click();
      await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
      await expectAfterReload({ page }, 'This hash existed by');
    });
    await advance(OPEN_SECONDS);
    await without(async (asker) => {
      const { page } = asker;
      await signInFromHome(asker, `ask${width}`);
      await expectAfterReload({ page }, '1 to resolve');
      await page
        .locator('.next-steps')
        .getByRole('link', { name: /^Resolve/ })
        .click();
      await page.getByLabel('New York', { exact: true }).check();
      await page.getByLabel('Source').fill('https://bid.example.org');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Publish the outcome' }).click();
      await page.waitForURL('**/e/*');
    });
    await without(async ({ page }) => {
      await page.goto(challenge);
      await expectAfterReload({ page }, 'New York. @');
      await page.getByText(`@win${width} was closest: 70 %`).waitFor();
      expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(false);
      await page.getByText('Every answer with its reasons').click();
      await page.getByText('It has the stadium.').waitFor();
      await page.getByRole('heading', { name: 'The question' }).waitFor();
      await page
        .locator('.standings')
        .getByRole('link', { name: `@win${width}` })
        .first()
        .click();
      const row = page.locator('.track-record tbody tr', { hasText: question });
      expect((await row.innerText()).replaceAll('\u00a0', ' ').split(/\s*\t\s*/)).toEqual([
        question,
        'New York 70 %',
        'New York',
        '0.18',
      ]);
      await page.getByText('1 forecast scored.').waitFor();
      expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(false);
    });
  });

  test('a forecast of a person is resolved, and everything is marked as read', async () => {
    await without(async (author) => {
      const { page } = author;
      await signInFromHome(author, `uta${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByLabel('Forecast', { exact: true }).check();
      await page.getByLabel('yes', { exact: true }).fill('28.3333');
      await describeEtch(author, { description: 'Does it freeze?', opens: utcField(OPEN_SECONDS) });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('yes 28 %').waitFor();
      await page.getByRole('button', { name: 'Seal it' }).click();
      await page.waitForURL('**/e/*');
      const etch = page.url();
      await expectAfterReload(author, 'This hash existed by');
      await advance(OPEN_SECONDS);
      await expectAfterReload(author, 'Resolve it');
      await page.getByRole('link', { name: 'Resolve it' }).click();
      await page.getByLabel('yes', { exact: true }).check();
      await page.getByLabel('Source').fill('https://weather.example.org/frost');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Publish the outcome' }).click();
      await page.goto(etch);
      await expectAfterReload(author, 'Resolved: yes');
      await page.locator('.spine li', { hasText: 'Resolved' }).waitFor();
      await openUntil(author, 'Inbox', 'Opened');
      await page.getByRole('button', { name: 'Mark all as read' }).click();
      await page.getByText('Nothing since then.').waitFor();
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    });
  });

  test('a study is preregistered, opens, and is retracted', async () => {
    await without(async (researcher) => {
      const { page, expecting } = researcher;
      await signInFromHome(researcher, `pre${width}`);
      await page.getByRole('link', { name: 'Write', exact: true }).click();
      await page.getByRole('link', { name: 'preregistration' }).click();
      for (const section of SECTIONS)
        await page.getByLabel(section, { exact: true }).fill(`About ${section}.`);
      await describeEtch(researcher, { description: 'Plan of a study', opens: utcField(OPEN_SECONDS) });
      await expecting({ status: 400 }, () => page.getByRole('button', { name: 'Preview' }).click());
      await page.getByText('Write the section “Stop rules”').first().waitFor();
      await page.getByLabel('Stop rules', { exact: true }).fill('After a hundred.');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('button', { name: 'Seal it' }).click();
      await page.getByRole('heading', { name: 'Sealed. It opens by itself' }).waitFor();
      await page.locator('.countdown', { hasText: /^in \d+ min$/ }).waitFor();
      await advance(OPEN_SECONDS);
      await expectAfterReload({ page }, 'After a hundred.');
      expect(await page.locator('.unsealed .seal.large').count()).toBe(1);
      await page.getByRole('link', { name: 'Retract this etch…' }).click();
      await page.getByRole('button', { name: 'Retract it for good' }).click();
      await page.getByText('Retracted: the text is erased').waitFor();
      expect(await page.locator('main').innerText()).not.toContain('After a hundred.');
    });
  });
});
