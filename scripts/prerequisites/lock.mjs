import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, SetupError, say } from './run.mjs';

const BEAT_MS = 1_000;
/** An older heartbeat marks an abandoned lock. */
const SILENT_MS = 20_000;

export const CACHE = join(ROOT, '.cache');

export async function withLock(name, work) {
  makeCache();
  const path = join(CACHE, `${name}.lock`);
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), nonce: Math.random() });
  for (let told = false; !take(path, mine); await sleep(200)) {
    if (isStale(path)) replaceStale(path);
    else if (!told) {
      told = true;
      say(`Another process is at it (${name}): waiting for it to finish.`);
    }
  }
  const beat = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // A different process took the lock.
    }
  }, BEAT_MS);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

function makeCache() {
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(join(CACHE, '.writable'), '');
  } catch (error) {
    throw new SetupError(
      `${CACHE} cannot be written (${error.code}).\n` +
        'Clone into a folder of your own, or give this one back to you: an earlier run as root may own parts of it.',
    );
  }
}

function take(path, content) {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isStale(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > SILENT_MS) return true;
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    return holder.host === hostname() && !isAlive(holder.pid);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Takes a second lock, so that no process removes a new lock. */
function replaceStale(path) {
  const takeover = `${path}.takeover`;
  if (!take(takeover, '')) {
    try {
      if (Date.now() - statSync(takeover).mtimeMs > SILENT_MS) rmSync(takeover, { force: true });
    } catch {
      // The lock was released.
    }
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
}
