import { cannotRead } from '../input-file.ts';
import { createHash, type Hash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { lineSalt } from '@svc/protocol/conventions';
import { inputError } from '../exit.ts';
import { isSame } from '../files/hash-files.ts';
import { sha256 } from '../files/manifest-file.ts';

const CHUNK = 1024 * 1024;
const LF = 10;

interface ReadLine {
  number: number;
  leaf: Uint8Array;
  bytes: Uint8Array | null;
}

/**
 * Bytes up to LF, or after the last LF, are a line. Long lines are hashed in chunks.
 * @param wanted the line whose bytes to return
 */
export async function readLog(
  path: string,
  salt: Uint8Array,
  onLine: (line: ReadLine) => void,
  wanted?: number,
): Promise<void> {
  const lines = splitter(salt, onLine, wanted);
  try {
    if (!(await stat(path)).isFile()) throw inputError(`${path} is not a file`);
    const handle = await open(path);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const before = await handle.stat({ bigint: true });
      let length = 0n;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
        length += BigInt(bytesRead);
        if (bytesRead === 0 || length > before.size) break;
        lines.add(buffer.subarray(0, bytesRead));
      }
      const after = [await handle.stat({ bigint: true }), await stat(path, { bigint: true })];
      if (length !== before.size || !after.every((one) => isSame(before, one)))
        throw inputError(`${path} changed while svc read it; try again when no program writes to it`);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw cannotRead(path, error);
  }
  lines.end();
}

function splitter(salt: Uint8Array, onLine: (line: ReadLine) => void, wanted: number | undefined) {
  let number = 0;
  let hash: Hash | null = null;
  let kept: Uint8Array[] = [];
  const begin = (): Hash =>
    createHash('sha256')
      .update(Uint8Array.of(0))
      .update(lineSalt(salt, ++number, sha256));
  const end = (): void => {
    if (hash === null) return;
    onLine({ number, leaf: hash.digest(), bytes: number === wanted ? Buffer.concat(kept) : null });
    hash = null;
    kept = [];
  };
  const add = (chunk: Buffer): void => {
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, at === -1 ? chunk.length : at);
      hash ??= begin();
      hash.update(part);
      if (number === wanted) kept.push(Uint8Array.from(part));
      if (at === -1) return;
      end();
      from = at + 1;
    }
  };
  return { add, end };
}
