// `npm run pictures -- etch try` writes only those pictures.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { randomBytes } = await import('node:crypto');
const { writeFileSync } = await import('node:fs');
const { readArguments, wrongCall } = await import('../packages/server/bin/arguments.mjs');
const { PAGES } = await import('./pictures/pages.mjs');
const { ensureProgram } = await import('./prerequisites/programs.mjs');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { orExplain, ROOT, say } = await import('./prerequisites/run.mjs');

const names = Object.keys(PAGES);
const USAGE = `usage: npm run pictures [-- <name> ...]

Writes the pictures of README and docs to docs/pictures: all of them, or those named: ${names.join(', ')}.`;
const { positionals } = readArguments(USAGE, { allowPositionals: true });
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) wrongCall(USAGE, `There is no picture ${unknown.join(', ')}.`);
const wanted = positionals.length > 0 ? positionals : names;

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
  for (const early of [true, false])
    await within(async (useHere) => {
      // The clock of the chain does not move, so the later service anchors nothing.
      const imports = early ? [] : [new URL('pictures/later.mjs', import.meta.url).href];
      const { port } = await useHere(startService(settings, { imports }));
      story ??= await tellStory(port);
      for (const name of wanted.filter((one) => (PAGES[one].early ?? false) === early))
        for (const theme of ['light', 'dark']) {
          const shown = { ...PAGES[name], path: PAGES[name].path(story), theme };
          const picture = await takePicture(browser, `http://127.0.0.1:${port}`, shown);
          writeFileSync(`${ROOT}/docs/pictures/${name}-${theme}.webp`, picture);
          say(`docs/pictures/${name}-${theme}.webp  ${(picture.length / 1_000).toFixed(1)} kB`);
        }
    });
});
