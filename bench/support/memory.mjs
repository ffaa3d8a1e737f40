import { readFileSync } from 'node:fs';

/** Bytes; undefined without /proc. */
export function residentMemory(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
  } catch {
    return undefined;
  }
}

export const megabytes = (bytes) => (bytes === undefined ? 'not told here' : `${Math.round(bytes / 1e6)} MB`);
