// Runs in the soak only.
import { beforeAll, describe, expect, test } from 'vitest';
import { useJourneys, widths } from '../../testing/browser/journey.ts';
import { newAuthor } from '../../testing/system/author.ts';

const { advance, ground, utcField, visit } = useJourneys();
const SEALED_SECONDS = 1_800;
let pages: Record<'sealed' | 'opened' | 'resolved' | 'retracted', string>;

beforeAll(async () => {
  const author = await newAuthor(ground.world);
  const seal = async (seconds: number, content = 'The tide turns.'): Promise<string> => {
    const { id } = await author.etch({
      content,
      mode: 'delayed',
      reveal_at: `${utcField(seconds)}.000Z`,
    });
    await author.anchored(id);
    return id;
  };
  const sealed = await seal(86_400);
  const opened = await seal(SEALED_SECONDS);
  const resolved = await seal(SEALED_SECONDS, 'svc-forecast:v1 yes=0.7');
  const retracted = await seal(86_400);
  await advance(SEALED_SECONDS);
  await author.call('POST', `/api/v1/etches/${retracted}/retract`);
  const description = `svc-resolution:v1 ${resolved}`;
  const { id } = await author.etch({ content: `${description} yes https://tide.example.org`, description });
  await author.anchored(id, retracted);
  pages = { sealed, opened, resolved, retracted };
});

describe.each(widths(390))('at %i px', (width) => {
  test.each(['none', 'active'] as const)(
    'a reader tells sealed, opened, resolved and retracted apart on the first screen, forced colors: %s',
    async (forcedColors) => {
      const looks = new Set<string>();
      for (const id of Object.values(pages))
        await visit(
          width,
          async ({ page, url }) => {
            await page.goto(`${url}/e/${id}`);
            const seal = page.locator('.seal.large').first();
            const { y, height } = (await seal.boundingBox())!;
            expect(y + height).toBeLessThan(844);
            expect(await seal.evaluate((svg) => getComputedStyle(svg).color)).not.toBe(
              await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor),
            );
            const tag = await page.locator('.page-head .tag').innerText();
            looks.add(`${tag.trim()} ${await seal.innerHTML()}`);
          },
          { forcedColors },
        );
      expect([...looks].map((look) => look.split(/\W/)[0])).toEqual([
        'Sealed',
        'Opened',
        'Resolved',
        'Retracted',
      ]);
    },
  );

  test.each([true, false])(
    'the home page shows the plain etch that opened, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async ({ page, url }) => {
          await page.goto(url);
          const example = page.getByRole('region', { name: 'An etch that opened here' });
          await example.getByText('The tide turns.').waitFor();
          expect(await example.locator('.spine .done-step').count()).toBe(3);
          await example.getByRole('link', { name: 'Verify it yourself' }).click();
          await page.waitForURL(`${url}/e/${pages.opened}/verify`);
        },
        { javaScriptEnabled },
      );
    },
  );
});
