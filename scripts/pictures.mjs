// `npm run pictures -- etch try` writes only those pictures.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { readArguments, wrongCall } = await import('../packages/server/bin/arguments.mjs');
const { DAYS_LATER, PAGES } = await import('./pictures/pages.mjs');
const names = Object.keys(PAGES);
const USAGE = `usage: npm run pictures [-- <name> ...]

Writes the pictures of README and docs to docs/pictures: all of them, or those named: ${names.join(', ')}.`;
const { positionals: only } = readArguments(USAGE, { allowPositionals: true });
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) wrongCall(USAGE, `There is no picture ${unknown.join(', ')}.`);
const { randomBytes } = await import('node:crypto');
const { writeFileSync } = await import('node:fs');
const { ensureProgram } = await import('./prerequisites/programs.mjs');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { orExplain, ROOT, say } = await import('./prerequisites/run.mjs');

const executablePath = await orExplain(async () => {
  await prepare();
  return ensureProgram('chromium');
});
const { takePicture, openBrowser } = await import('./pictures/camera.mjs');
const { tellStory } = await import('./pictures/story.mjs');
const { newFolder, startService, within } = await import('../bench/support/processes.mjs');

// The service ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
await within(async (use) => {
  const browser = await use(openBrowser(executablePath));
  const settings = {
    DATA_DIR: (await use(newFolder())).path,
    SECRET_KEYS: randomBytes(32).toString('hex'),
    ANCHOR_INTERVAL_SECONDS: '1',
  };
  let story;
  for (const daysLater of [0, DAYS_LATER])
    await within(async (useHere) => {
      // The clock of the chain does not move, so the later service anchors nothing.
      const imports = daysLater === 0 ? [] : [new URL('pictures/later.mjs', import.meta.url).href];
      const later = { ...settings, DAYS_LATER: String(daysLater) };
      const { port } = await useHere(startService(later, { imports }));
      story ??= await tellStory(port);
      for (const [name, page] of Object.entries(PAGES)) {
        if ((page.early === true) !== (daysLater === 0) || (only.length > 0 && !only.includes(name)))
          continue;
        for (const theme of ['light', 'dark']) {
          const shown = { ...page, path: page.path(story), theme, daysLater };
          const picture = await takePicture(browser, `http://127.0.0.1:${port}`, shown);
          writeFileSync(`${ROOT}/docs/pictures/${name}-${theme}.webp`, picture);
          say(`docs/pictures/${name}-${theme}.webp  ${(picture.length / 1_000).toFixed(1)} kB`);
        }
      }
    });
});
