import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-tree.mjs';
import { CACHE, SetupError, say } from './run.mjs';

const BEAT_MS = 1_000;
/** An older heartbeat marks an abandoned lock. */
const SILENT_MS = 20_000;

export async function withLock(name, work) {
  const path = join(CACHE, `${name}.lock`);
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), nonce: Math.random() });
  for (let announced = false; !take(path, mine); await sleep(200)) {
    if (isStale(path)) removeStale(path);
    else if (!announced) {
      announced = true;
      say(`Another process is at it (${name}): waiting for it to finish.`);
    }
  }
  const beat = setInterval(() => attempt(() => utimesSync(path, new Date(), new Date())), BEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (attempt(() => readFileSync(path, 'utf8')) === mine) rmSync(path, { force: true });
  }
}

/** Returns false if the file exists. */
function take(path, content) {
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new SetupError(
      `${CACHE} cannot be written (${error.code}).\n` +
        'Clone into a folder of your own, or give this one back to you: an earlier run as root may own parts of it.',
    );
  }
}

function isStale(path) {
  if (isSilent(path)) return true;
  // A lock that is written at this moment is empty.
  const holder = attempt(() => JSON.parse(readFileSync(path, 'utf8')));
  return holder?.host === hostname() && !isRunning(holder.pid);
}

/** Takes a second lock, so that no process removes a new lock. */
function removeStale(path) {
  const takeover = `${path}.takeover`;
  if (isSilent(takeover)) rmSync(takeover, { force: true });
  if (!take(takeover, '')) return;
  if (isStale(path)) rmSync(path, { force: true });
  rmSync(takeover, { force: true });
}

const isSilent = (path) => Date.now() - statSync(path, { throwIfNoEntry: false })?.mtimeMs > SILENT_MS;

/** Another process may remove the file at any moment. */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
