import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { ROOT, say } from './run.mjs';

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.setup-stamp');
/** npm writes this file last. */
const INSTALLED = join(MODULES, '.package-lock.json');

export function packagesAreInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  const installed = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages ?? {};
  const stamped = readStamp() === stampOf(lock);
  if (!stamped && !matches(JSON.parse(lock).packages, installed)) return false;
  if (!Object.keys(installed).every((path) => existsSync(join(ROOT, path)))) return false;
  if (!stamped) stamp(lock);
  return true;
}

export async function installPackages() {
  say('Installing packages (about a minute the first time) …');
  rmSync(STAMP, { force: true });
  rmSync(INSTALLED, { force: true });
  // The flags matter with NODE_ENV=production.
  await npm(['ci', '--include=dev', '--include=optional'], { what: 'Installing packages', cwd: ROOT });
  stamp(readFileSync(join(ROOT, 'package-lock.json')));
}

/** Extra packages are fine; optional packages of other systems may be missing. */
function matches(locked, installed) {
  for (const [path, wanted] of Object.entries(locked)) {
    if (path === '') continue;
    const found = installed[path];
    if (!found) {
      if (wanted.optional || wanted.devOptional) continue;
      return false;
    }
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) return false;
    if (found.link !== wanted.link) return false;
  }
  return Object.values(installed).every(
    ({ os, cpu }) => (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)),
  );
}

function stampOf(lock) {
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`;
}

function readStamp() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

function stamp(lock) {
  try {
    writeFileSync(STAMP, stampOf(lock));
  } catch {
    // Another user may own node_modules.
  }
}
