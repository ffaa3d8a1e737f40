import { join } from 'node:path';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { put } from './built-files.mjs';
import { ROOT, call } from './prerequisites/run.mjs';

readArguments(`usage: node scripts/man-pages.mjs

Writes the manual pages of svc and svc-admin next to the compiled programs. Needs a build. Takes no arguments.`);

const PAGES = {
  'packages/cli/dist/svc.1': 'packages/cli/bin/svc.mjs',
  'packages/server/dist/svc-admin.8': 'packages/server/bin/svc-admin.mjs',
};
for (const [page, program] of Object.entries(PAGES))
  await put(join(ROOT, page), `${await call(process.execPath, [join(ROOT, program), 'man'])}\n`);
