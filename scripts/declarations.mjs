import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ROOT, readJson } from './prerequisites/run.mjs';

/** Uses relative imports, so that the types need no other package. */
export async function declarations(library, exports) {
  const files = new Map();
  for (const { types } of Object.values(exports)) await add(`${library}/${types.replace('./dist/', '')}`);
  return files;

  async function add(path) {
    const to = `types/${path}`;
    if (files.has(to)) return;
    files.set(to, '');
    const text = await readFile(join(ROOT, 'packages', path.replace('/', '/dist/')), 'utf8');
    const parts = text
      .replace(/^\/\/# sourceMappingURL=.*$/m, '')
      .split(/((?:from |import\()['"][^'"]+['"])/);
    for (const [at, part] of parts.entries()) {
      const [, start, name] = /^(from |import\()['"]([^'"]+)['"]$/.exec(part) ?? [];
      if (name === undefined) continue;
      if (!/^(?:@svc\/|\.)/.test(name)) throw new Error(`${path} has types of ${name}`);
      const target = name.startsWith('@svc/')
        ? typesOf(name)
        : join(dirname(path), name).replace(/\.ts$/, '.d.ts');
      await add(target);
      const link = relative(dirname(path), target).replace(/\.d\.ts$/, '.js');
      parts[at] = `${start}'${link.startsWith('.') ? link : `./${link}`}'`;
    }
    files.set(to, Buffer.from(parts.join('')));
  }

  function typesOf(name) {
    const [, folder, entry] = /^@svc\/([^/]+)(.*)$/.exec(name);
    const { exports: entries } = readJson(`packages/${folder}/package.json`);
    return `${folder}/${entries[`.${entry}`].types.replace('./dist/', '')}`;
  }
}
