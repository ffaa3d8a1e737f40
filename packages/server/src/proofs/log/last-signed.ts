import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checkpoint,
  isSignedBy,
  parseCheckpoint,
  parseVerifierKey,
  TlogError,
} from '@svc/protocol/tlog';
import { writeDurably } from '../../db/files.ts';

/**
 * The longest checkpoint that this log is known to have signed, in a file: a restored database must not sign
 * another one of its size.
 */
export interface LastSigned {
  /** Null: no file, or of other keys. @throws TlogError */
  read(): Promise<Checkpoint | null>;
  write(checkpoint: Checkpoint | null): Promise<void>;
}

export function createLastSigned(
  folder: string,
  { origin, keys }: { origin: string; keys: readonly string[] },
): LastSigned {
  const name = `checkpoint-${encodeURIComponent(origin)}`;
  const file = join(folder, name);
  return {
    async read() {
      try {
        const checkpoint = parseCheckpoint(await readFile(file, 'utf8'));
        const ours = keys.map(parseVerifierKey);
        if (isSignedBy(checkpoint, ours)) return checkpoint;
        if (checkpoint.signatures.some(({ keyId }) => ours.some(({ id }) => id === keyId)))
          throw new TlogError('its signature is wrong');
        return null;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        if (!(error instanceof TlogError)) throw error;
        throw new TlogError(`LEDGER_DIR: ${name} is damaged: put back a copy of it (${error.message})`);
      }
    },
    async write(checkpoint) {
      if (checkpoint === null) return rm(file, { force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { text, signatures } = checkpoint;
      const note = `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;
      await writeDurably(file, note, `${file}.${randomUUID()}`);
    },
  };
}
