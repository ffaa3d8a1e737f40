import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './prerequisites/process-tree.mjs';

/** In many containers this is small, and allows no programs. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;
const FREE_BYTES = 10 * 2 ** 30;
const NAME = /^svc-test-(\d+)-/;

/**
 * Uses memory if there is enough, because tests make hundreds of thousands of files. TMPDIR and the soak use the disk.
 */
export function makeTestFolder({ onDisk }) {
  const inMemory = !onDisk && process.env['TMPDIR'] === undefined && isRoomInMemory();
  const parent = inMemory ? MEMORY : tmpdir();
  if (inMemory) removeLeftBehind();
  const folder = mkdtempSync(join(parent, `svc-test-${process.pid}-`));
  chmodSync(folder, 0o711);
  process.once('exit', () => remove(folder));
  return folder;
}

function isRoomInMemory() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === MEMORY);
    const takesPrograms = mount !== undefined && !mount[3].split(',').includes('noexec');
    return takesPrograms && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= FREE_BYTES;
  } catch {
    return false;
  }
}

/** Folders of killed runs take memory. */
function removeLeftBehind() {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(MEMORY, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path);
  }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
