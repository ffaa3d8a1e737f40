import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisProcess } from './prerequisites/process-tree.mjs';

/** In many containers this is small, and allows no programs. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;
const FREE_BYTES = 10 * 2 ** 30;

/** Processes of a killed run may still write. */
const REMOVE = `read -r line
for wait in 1 2 4 8; do rm -rf "$0" && exit; sleep "$wait"; done`;

/** In memory if there is room, because tests make many files. TMPDIR and the soak use the disk. */
export function makeTestFolder({ onDisk }) {
  const inMemory = !onDisk && process.env['TMPDIR'] === undefined && isRoomInMemory();
  const folder = fs.mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'svc-test-'));
  fs.chmodSync(folder, 0o711);
  afterThisProcess(REMOVE, folder);
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
