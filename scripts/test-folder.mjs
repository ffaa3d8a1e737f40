// The folder in which a run of the tests keeps its files.
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
import { isRunning } from './process-tree.mjs';

/** Where Linux keeps files in memory. In many containers it is small and does not run programs. */
const MEMORY = '/dev/shm';
/** A run needs a third of this. */
const ROOM_BYTES = 4 * 2 ** 30;
/** This much, plus the memory of the tests' processes. */
const FREE_BYTES = 10 * 2 ** 30;
const NAME = /^svc-test-(\d+)-/;

/**
 * Creates a folder for all files of the tests; it is removed with this process. Tests create and remove hundreds of thousands of
 * files, which keeps a disk busy for a tenth of the run, so the folder is in memory where there is room. It is on the disk if
 * TMPDIR is set, and in the soak.
 */
export function makeTestFolder({ onDisk }) {
  const inMemory = !onDisk && process.env['TMPDIR'] === undefined && isRoomInMemory();
  const parent = inMemory ? MEMORY : tmpdir();
  if (inMemory) removeLeftBehind();
  const folder = mkdtempSync(join(parent, `svc-test-${process.pid}-`));
  // Others may pass through: as root, the database runs as another user.
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

/** Removes the folders of killed runs, which would take memory until the next boot. */
function removeLeftBehind() {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(MEMORY, name);
    // Any user may create a folder of this name there.
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path);
  }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
