// Where a run of the tests keeps its files.
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

/** Where Linux has files in memory; in many containers small, and no place for programs. */
const MEMORY = '/dev/shm';
/** A run needs a third of it. */
const ROOM_BYTES = 4 * 2 ** 30;
/** With that room, and what the tests' processes take. */
const FREE_BYTES = 10 * 2 ** 30;
const NAME = /^svc-test-(\d+)-/;

/**
 * A new folder for all that tests leave behind; it goes with this process. Tests make and remove files by the hundred thousand, which keeps a
 * disk's file system busy for a tenth of the run: they are in memory where there is plenty. Not if TMPDIR says otherwise, nor at
 * full count, which is to see the disk.
 */
export function makeTestFolder({ onDisk }) {
  const inMemory = !onDisk && process.env['TMPDIR'] === undefined && isRoomInMemory();
  const parent = inMemory ? MEMORY : tmpdir();
  if (inMemory) removeLeftBehind();
  const folder = mkdtempSync(join(parent, `svc-test-${process.pid}-`));
  // Open for passing through: as root, the database is another user.
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

/** What runs of ours that were killed could not remove: it would take memory until the machine starts again. */
function removeLeftBehind() {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(MEMORY, name);
    // Anybody may make a folder of this name there.
    if (lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path);
  }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
