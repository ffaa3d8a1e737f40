import { join } from 'node:path';
import { isHex } from '@svc/protocol';
import { readFacts } from '@svc/sdk';
import type { ServiceFacts } from '@svc/sdk';
import { trustChanges } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import { configFolder, locked, readPrivate, writePrivate } from './config-folder.ts';
import { CommandError, EXIT } from './exit.ts';

/** What the reader chose to trust of a service, as one keeps a known host: it counts until the reader forgets it. */
export interface Pin {
  trust: Trust;
  /** Ed25519 keys of its promises; empty: none were known, so none count */
  promiseKeys: readonly string[];
}

/** Where pins are kept, by the service's origin. */
export function pinsPath(env: NodeJS.ProcessEnv): string {
  return join(configFolder(env), 'trust.json');
}

/** @throws {CommandError} when the file is there and not usable: trust is not replaced in silence */
export function readPin(path: string, origin: string): Pin | null {
  const pins = readAll(path);
  return Object.hasOwn(pins, origin) ? parsePin(path, origin, pins[origin]) : null;
}

/** Every pinned origin. @throws {CommandError} when the file is there and not usable */
export function listPins(path: string): { origin: string; pin: Pin }[] {
  return Object.entries(readAll(path)).map(([origin, value]) => ({
    origin,
    pin: parsePin(path, origin, value),
  }));
}

/**
 * Pins what a service publishes, unless it is pinned so already.
 * @returns was it new?
 * @throws {CommandError} when something else is pinned: a change is the reader's to accept
 */
export function addPin(path: string, origin: string, facts: ServiceFacts): boolean {
  return locked(path, () => {
    const pin = readPin(path, origin);
    if (pin !== null) {
      refuseChanges(path, origin, pin, facts);
      return false;
    }
    write(path, { ...readAll(path), [origin]: fileForm(facts) });
    return true;
  });
}

/** @returns was there one? */
export function dropPin(path: string, origin: string): boolean {
  return locked(path, () => {
    const { [origin]: pin, ...others } = readAll(path);
    if (pin !== undefined) write(path, others);
    return pin !== undefined;
  });
}

/** What a service says now that is not what was pinned of it, in words; empty when it is the same. */
export function pinChanges(pin: Pin, { trust, promiseKeys }: ServiceFacts): string[] {
  const list = (keys: readonly string[]) => [...keys].sort().join(', ') || 'none';
  const [was, is] = [list(pin.promiseKeys), list(promiseKeys)];
  return [...trustChanges(pin.trust, trust), ...(was === is ? [] : [`promise keys: ${was} became ${is}`])];
}

/** @throws {CommandError} that shows the changes */
export function refuseChanges(path: string, origin: string, pin: Pin, facts: ServiceFacts): void {
  const changes = pinChanges(pin, facts);
  if (changes.length === 0) return;
  throw new CommandError(
    EXIT.fail,
    `${origin} publishes other values than are pinned in ${path}: ${changes.join('; ')}. ` +
      `Ask its operator over another way whether that is so; then \`svc trust --forget ${origin}\`, and \`svc trust ${origin}\`.`,
  );
}

/** On this machine: somebody's development, whose chain comes and goes with its data. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}

/** Over plain http anybody on the way says whom to trust. */
export const canBePinned = (origin: string): boolean => origin.startsWith('https:') || isLoopback(origin);

const fileForm = ({ trust, promiseKeys }: ServiceFacts) => ({
  chain_id: trust.chainId,
  attestation_contract: trust.contract,
  schema_uid: trust.schemaUid,
  relayers: trust.relayers,
  // None known is not the same as none trusted.
  ...(promiseKeys.length > 0 ? { promise_keys: promiseKeys } : {}),
});

function parsePin(path: string, origin: string, value: unknown): Pin {
  const malformed = () =>
    new CommandError(
      EXIT.usage,
      `${path}: what is pinned of ${origin} is malformed; mend it or delete it there`,
    );
  const { promise_keys: keys = [] } = (value ?? {}) as { promise_keys?: unknown };
  if (!Array.isArray(keys) || !keys.every((key) => isHex(key, 32))) throw malformed();
  try {
    return { trust: readFacts({ chain: value }).trust, promiseKeys: keys };
  } catch {
    throw malformed();
  }
}

const write = (path: string, pins: Record<string, unknown>) =>
  writePrivate(path, `${JSON.stringify(pins, null, 2)}\n`);

function readAll(path: string): Record<string, unknown> {
  const pins = readPrivate(path) ?? {};
  if (typeof pins === 'object' && !Array.isArray(pins)) return pins as Record<string, unknown>;
  throw new CommandError(EXIT.usage, `${path} is not a JSON object`);
}
