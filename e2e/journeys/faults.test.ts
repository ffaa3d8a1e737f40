import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser } from '../../testing/browser/browser.ts';
import { visit, type Visit } from '../../testing/browser/journey.ts';
import { startServer } from '../../testing/machine/server.ts';

const BODIES: Record<string, string> = {
  alert: '<p role="alert">Something is wrong</p>',
  'late-alert': '<p id="a" role="alert"></p><script>setTimeout(() => (a.textContent = "Late"), 50)</script>',
  width: '<div style="width: 500px">wide</div>',
  status: '<img src="/missing">',
  request: '<img src="http://127.0.0.1:9/">',
  console: '<script>throw new Error("broken")</script>',
  dialog: '<script>alert("Hello")</script>',
  sound: '<p role="alert"></p><p role="alert" hidden>Unseen</p>',
};
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer(({ url = '' }, response) => {
    const body = url === '/favicon.ico' ? '' : BODIES[url.slice(1)];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><link rel="icon" href="data:,">${body ?? ''}<a href="/sound">Next</a>`);
  });
});
afterAll(() => server.stop());

const walk = async (work: (visit: Visit) => Promise<void>): Promise<void> =>
  visit(await sharedBrowser(), { width: 390, url: server.url }, work);

test.each(['alert', 'width', 'status', 'request', 'console', 'dialog'])(
  'a visit fails on %s',
  async (kind) => {
    const visited = walk(async ({ page, url }) => {
      await page.goto(`${url}/${kind}`);
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL('**/sound');
    });
    await expect(visited).rejects.toThrow(new RegExp(`^${kind} on `));
  },
);

test('a visit fails on an alert that a script shows, also on its last page', async () => {
  const visited = walk(async ({ page, url, expecting }) => {
    await expecting({ alert: 'Something' }, () => page.goto(`${url}/alert`));
    await page.goto(`${url}/late-alert`);
    await page.getByText('Late').waitFor();
  });
  await expect(visited).rejects.toThrow('alert on ');
});

test('a visit passes on sound pages and on what a step expects', async () => {
  await walk(async ({ page, url, expecting }) => {
    await page.goto(`${url}/sound`);
    await expecting({ status: 404 }, () => page.goto(`${url}/status`));
    await expecting({ alert: 'Something is wrong' }, () => page.goto(`${url}/alert`));
    await page.getByRole('link', { name: 'Next' }).click();
  });
});
