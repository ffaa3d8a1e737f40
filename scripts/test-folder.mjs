import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './prerequisites/process-tree.mjs';

/** In many containers this is small, and allows no programs. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;
const FREE_BYTES = 10 * 2 ** 30;

/**
 * Uses memory if there is enough, because tests make hundreds of thousands of files. TMPDIR and the soak use the disk.
 */
export function makeTestFolder({ onDisk }) {
  const inMemory = !onDisk && process.env['TMPDIR'] === undefined && isRoomInMemory();
  if (inMemory) removeLeftBehind();
  const folder = fs.mkdtempSync(join(inMemory ? MEMORY : tmpdir(), `svc-test-${process.pid}-`));
  fs.chmodSync(folder, 0o711);
  process.once('exit', () => remove(folder));
  return folder;
}

function isRoomInMemory() {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    const mounts = fs.readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, path]) => path === MEMORY)[3];
    const takesPrograms = !options.split(',').includes('noexec');
    return takesPrograms && bavail * bsize >= ROOM_BYTES && process.availableMemory() >= FREE_BYTES;
  } catch {
    return false;
  }
}

/** Folders of killed runs take memory. */
function removeLeftBehind() {
  for (const name of fs.readdirSync(MEMORY)) {
    const pid = /^svc-test-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(MEMORY, name);
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) remove(path);
  }
}

const remove = (folder) =>
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
