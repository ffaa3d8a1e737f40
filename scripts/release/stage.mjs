import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../prerequisites/run.mjs';

/** Each package follows its dependencies. */
export const PUBLISHED = ['protocol', 'contract', 'verifier', 'timestamp', 'sdk', 'cli', 'mcp'];

const OWN = '@svc/';
const TEXT = /\.(?:js|mjs|ts|json|md|map)$/;

export async function stage(name, { out, scope, repository }) {
  const from = join(ROOT, 'packages', name);
  const to = join(out, 'staged', name);
  await mkdir(to, { recursive: true });
  const manifest = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
  const wanted = manifest.files.filter((file) => !file.startsWith('!'));
  for (const file of ['README.md', ...wanted])
    await cp(join(from, file), join(to, file), { recursive: true });
  await cp(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  await writeFile(
    join(to, 'package.json'),
    `${JSON.stringify(
      { ...manifest, repository: { type: 'git', url: repository, directory: `packages/${name}` } },
      null,
      2,
    )}\n`,
  );
  if (`${scope}/` !== OWN) await rename(to, scope);
  return to;
}

async function rename(folder, scope) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const text = await readFile(path, 'utf8');
    if (text.includes(OWN)) await writeFile(path, text.replaceAll(OWN, `${scope}/`));
  }
}
