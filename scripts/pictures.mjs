// `npm run pictures -- etch try` writes only those pictures.
import { requireNode } from './prerequisites/node.mjs';

requireNode();
const { readArguments, wrongCall } = await import('../packages/server/bin/arguments.mjs');
const { PICTURES } = await import('./pictures/names.mjs');
const USAGE = `usage: npm run pictures [-- <name> ...]

Writes the pictures of README and docs to docs/pictures: all of them, or those named: ${PICTURES.join(', ')}.`;
const { positionals: only } = readArguments(USAGE, { allowPositionals: true });
const unknown = only.filter((name) => !PICTURES.includes(name));
if (unknown.length > 0) wrongCall(USAGE, `There is no picture ${unknown.join(', ')}.`);
const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { ensureChromium } = await import('./prerequisites/chromium.mjs');
const { prepare } = await import('./prerequisites/prepare.mjs');
const { orExplain, ROOT, say } = await import('./prerequisites/run.mjs');

const program = await orExplain(async () => {
  await prepare();
  return ensureChromium();
});
const { openCamera } = await import('./pictures/camera.mjs');
const { startService } = await import('./pictures/service.mjs');
const { DAYS_LATER, pagesOf, tellStory } = await import('./pictures/story.mjs');

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
// The service ends with this process (service.mjs).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
const camera = await openCamera(program);
let service;
try {
  service = await startService(folder);
  const story = await tellStory(service.url);
  await take(pagesOf(story).then, 0);
  await service.stop();
  service = await startService(folder, DAYS_LATER);
  await take(pagesOf(story).later, DAYS_LATER);
} finally {
  await camera.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function take(pages, daysLater) {
  for (const [name, page] of Object.entries(pages)) {
    if (only.length > 0 && !only.includes(name)) continue;
    for (const theme of ['light', 'dark']) {
      const picture = await camera.take(service.url, page, { theme, daysLater });
      writeFileSync(join(ROOT, 'docs', 'pictures', `${name}-${theme}.webp`), picture);
      say(`docs/pictures/${name}-${theme}.webp  ${(picture.length / 1_000).toFixed(1)} kB`);
    }
  }
}
