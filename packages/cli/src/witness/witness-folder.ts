import * as fs from 'node:fs';
import { isRunning } from '../config-folder.ts';
import { cannotRead } from '../input-file.ts';
import { EXIT, inputError, parsed, usageError } from '../exit.ts';
import type { WitnessKey, WitnessState } from './add-checkpoint.ts';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { hexToBytes } from '@svc/protocol';
import { generateKeyPair, keyPairOf, signText } from '@svc/sdk';
import * as tlog from '@svc/protocol/tlog';
import { replaceFile } from '../out-file.ts';

const LOGS = `# The logs that this witness watches (C2SP tlog-policy). One line for each:
# log <key of the log>
`;

/** @returns the key to give to the operators of logs */
export function makeWitness(folder: string, name: string): string {
  if (fs.existsSync(join(folder, 'key')))
    throw usageError(`${folder} has a witness already; name another folder`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { publicKey, secretKey } = generateKeyPair();
  let text: string;
  try {
    text = tlog.writeVerifierKey(name, tlog.WITNESS_KEY, hexToBytes(publicKey));
  } catch (error) {
    throw usageError(`--name: ${(error as Error).message}`);
  }
  writeDurably(join(folder, 'logs'), LOGS, 0o644);
  writeState(folder, {});
  writeDurably(join(folder, 'key'), `${name}\n${secretKey}\n`);
  return text;
}

export function readWitness(folder: string): WitnessKey & { text: string } {
  const path = join(folder, 'key');
  const content = readText(path, `make one with svc witness init ${folder} --name <name>`);
  const [, name, seed] = /^([^\n]+)\n([0-9a-f]{64})\n$/.exec(content) ?? [];
  if (name === undefined || seed === undefined) throw inputError(`${path} is not the key of a witness`);
  const keyPair = keyPairOf(seed);
  const publicKey = hexToBytes(keyPair.publicKey);
  return {
    key: tlog.verifierKey(name, tlog.WITNESS_KEY, publicKey),
    text: tlog.writeVerifierKey(name, tlog.WITNESS_KEY, publicKey),
    sign: (message) => hexToBytes(signText(message, keyPair)),
  };
}

export function readLogs(folder: string): tlog.NamedKey[] {
  const path = join(folder, 'logs');
  const text = readText(path, 'it lists the logs to watch');
  return parsed(() => tlog.parsePolicy(`${text}\nquorum none`).logs, tlog.TlogError, path, EXIT.input);
}

export const originHash = (origin: string): string => createHash('sha256').update(origin).digest('hex');

function readText(path: string, help: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotRead(path, error, `; ${help}`);
  }
}

/** After a crash the file has the old content or the new one; once this returns, the new one. */
function writeDurably(path: string, text: string, mode = 0o600): void {
  replaceFile(path, text, mode);
  const folder = fs.openSync(dirname(path), 'r');
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

/** Without its state a witness could cosign a fork, so an unreadable file throws. */
export function readState(folder: string): WitnessState {
  const path = join(folder, 'state.json');
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as WitnessState;
  } catch (error) {
    throw inputError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not JSON'}); without it this witness could cosign a fork: restore it, or make a new witness with svc witness init`,
    );
  }
}

/** @throws {CommandError} when the state is not stored */
export function writeState(folder: string, state: WitnessState): void {
  const path = join(folder, 'state.json');
  try {
    writeDurably(path, `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw inputError(`${path} cannot be written (${code}); free some space, or check the disk`);
  }
}

/** Replaces the lock of an ended process. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  for (const isLast of [false, true]) {
    try {
      // Only one process can make the folder.
      fs.mkdirSync(path);
      fs.writeFileSync(join(path, 'pid'), String(process.pid));
      return () => fs.rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isLast || isAlive(path))
        throw inputError(`another svc witness uses ${folder}; if none runs, remove ${path}`);
      const aside = `${path}.${process.pid}`;
      fs.renameSync(path, aside);
      fs.rmSync(aside, { recursive: true });
    }
  }
  throw new Error('unreachable');
}

function isAlive(path: string): boolean {
  try {
    const pid = Number(fs.readFileSync(join(path, 'pid'), 'utf8'));
    // A container gives every run the same process id.
    return pid !== process.pid && isRunning(pid);
  } catch {
    return true;
  }
}
