import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHex } from '@svc/protocol';
import { readFacts } from '@svc/sdk';
import type { ServiceFacts } from '@svc/sdk';
import type { Trust } from '@svc/verifier';
import { configFolder, writePrivate } from './config-folder.ts';
import { CommandError, EXIT } from './exit.ts';

/** Where the trust remembered from first contacts is kept, by the service's origin. */
export function pinsPath(env: NodeJS.ProcessEnv): string {
  return join(configFolder(env), 'trust.json');
}

/** @throws {CommandError} when the file is there and not usable: trust is not replaced in silence */
export function readPin(path: string, origin: string): Trust | null {
  const pins = readAll(path);
  if (!Object.hasOwn(pins, origin)) return null;
  try {
    return readFacts({ chain: pins[origin] }).trust;
  } catch {
    throw new CommandError(EXIT.usage, `${path}: what it remembers of ${origin} is malformed`);
  }
}

/** The keys of promises remembered with it; null when none were. */
export function readPinnedKeys(path: string, origin: string): string[] | null {
  const pins = readAll(path);
  return Object.hasOwn(pins, origin)
    ? readKeys((pins[origin] as Record<string, unknown>)['promise_keys'])
    : null;
}

/** Remembers the trust of a first contact. */
export function writePin(path: string, origin: string, { trust, promiseKeys }: ServiceFacts): void {
  const pins = {
    ...readAll(path),
    [origin]: {
      chain_id: trust.chainId,
      attestation_contract: trust.contract,
      schema_uid: trust.schemaUid,
      relayers: trust.relayers,
      // None known is not the same as none trusted.
      ...(promiseKeys.length > 0 ? { promise_keys: promiseKeys } : {}),
    },
  };
  writePrivate(path, `${JSON.stringify(pins, null, 2)}\n`);
}

/**
 * A service on this machine is someone's development: its chain comes and goes with its data, and a trust remembered
 * from yesterday's would refuse today's.
 */
export function isWorthRemembering(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname !== 'localhost' && !hostname.endsWith('.localhost') && !/^127\.|^\[::1\]$/.test(hostname);
}

/** A list of Ed25519 keys; null when it is none. */
const readKeys = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((key) => isHex(key, 32)) ? value : null;

function readAll(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandError(EXIT.usage, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const pins: unknown = JSON.parse(text);
    if (typeof pins === 'object' && pins !== null && !Array.isArray(pins))
      return pins as Record<string, unknown>;
  } catch {
    // told below
  }
  throw new CommandError(EXIT.usage, `${path} is not a JSON object`);
}
