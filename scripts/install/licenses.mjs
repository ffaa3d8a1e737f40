import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function licenses(root, inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  const texts = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const files = (await readdir(join(root, folder))).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
    const found = await Promise.all(files.sort().map((file) => readFile(join(root, folder, file), 'utf8')));
    texts.push(`${name} ${version} (${license})\n\n${found.map((text) => text.trim()).join('\n\n')}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
