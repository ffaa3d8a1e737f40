import { join } from 'node:path';
import { isHex } from '@svc/protocol';
import { readFacts, type ServiceFacts } from '@svc/sdk';
import { type Trust, trustChanges } from '@svc/verifier';
import { configFolder, locked, readPrivate, writePrivate } from './config-folder.ts';
import { when } from './context.ts';
import { failError, usageError } from './exit.ts';
import { serviceFactsAt } from './service-requests.ts';
import { isLoopback } from './loopback.ts';
import { moveFrom, moveWords, statedMoves } from './chain-moves.ts';

/** Like a known host of SSH; valid until the reader removes it. */
export interface Pin {
  trust: Trust;
  promiseKeys: readonly string[];
  logKeys: readonly string[];
  /** chains that the service left, and that were pinned before */
  former: readonly Trust[];
}

export const pinsPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'trust.json');

/** Throws when unusable: svc never replaces pins silently. */
export function readPin(path: string, origin: string): Pin | null {
  const pins = readAll(path);
  return Object.hasOwn(pins, origin) ? parsePin(path, origin, pins[origin]) : null;
}

export const listPins = (path: string): { origin: string; pin: Pin }[] =>
  Object.entries(readAll(path)).map(([origin, value]) => ({ origin, pin: parsePin(path, origin, value) }));

/** The pin with the trust of a chain that the service left, if the receipt names that chain. */
export const pinOn = (pin: Pin, chainId: number): Pin => ({
  ...pin,
  trust: [pin.trust, ...pin.former].find((trust) => trust.chainId === chainId) ?? pin.trust,
});

/**
 * Adds the keys of the log to a pin without them. Keeps the pins of former chains. Throws when other values are
 * pinned, unless a pinned key signed the move or the reader accepts the change.
 */
export function addPin(path: string, origin: string, facts: ServiceFacts, isAccepted = false): boolean {
  return locked(path, () => {
    const pin = readPin(path, origin);
    const isMove = pin !== null && moveFrom(pin, facts)?.isSigned === true;
    if (pin !== null) {
      if (!isAccepted && !isMove) refuseChanges(path, origin, pin, facts);
      const { logKeys } = facts;
      if (pinChanges(pin, facts).length === 0 && (pin.logKeys.length > 0 || logKeys.length === 0))
        return false;
    }
    const former = formerPins(pin, facts);
    write(path, { ...readAll(path), [origin]: fileForm({ ...facts, former }) });
    return true;
  });
}

/** Former chains: signed by a pinned key, or pinned earlier. The latest pin of a chain counts. */
function formerPins(pin: Pin | null, facts: ServiceFacts): Trust[] {
  const keys = pin === null ? facts.promiseKeys : pin.promiseKeys;
  const stated = statedMoves(facts, keys).filter(({ isSigned }) => isSigned);
  const known = [...(pin === null ? [] : [pin.trust, ...pin.former]), ...stated.map(({ from }) => from)];
  return known.filter(
    ({ chainId }, at) =>
      chainId !== facts.trust.chainId && known.findIndex((one) => one.chainId === chainId) === at,
  );
}

export function dropPin(path: string, origin: string): boolean {
  return locked(path, () => {
    const { [origin]: pin, ...others } = readAll(path);
    if (pin !== undefined) write(path, others);
    return pin !== undefined;
  });
}

export function pinChanges(pin: Pin, { trust, promiseKeys, logKeys }: Omit<Pin, 'former'>): string[] {
  const list = (keys: readonly string[]) => [...keys].sort().join(', ') || 'none';
  const change = (what: string, was: string, is: string) =>
    was === is ? [] : [`${what}: ${was} became ${is}`];
  return [
    ...trustChanges(pin.trust, trust),
    ...change('promise keys', list(pin.promiseKeys), list(promiseKeys)),
    ...(pin.logKeys.length === 0 ? [] : change('log keys', list(pin.logKeys), list(logKeys))),
  ];
}

function refuseChanges(path: string, origin: string, pin: Pin, facts: ServiceFacts): void {
  const changes = pinChanges(pin, facts);
  if (changes.length === 0) return;
  const move = moveFrom(pin, facts);
  throw failError(
    `${origin} publishes values that differ from the pins in ${path}: ${changes.join('; ')}. ` +
      (move?.isSigned === true
        ? `${moveWords(move, origin)}.`
        : `Ask its operator over another channel whether the change is right. If so, run \`svc trust --accept ${origin}\`, which keeps the pin of a chain that the service left.`),
  );
}

/** Over plain http anyone on the path could change the values. */
export const canBePinned = (origin: string): boolean => origin.startsWith('https:') || isLoopback(origin);

export const snakeTrust = ({ chainId, contract, schemaUid, relayers }: Trust) => ({
  chain_id: chainId,
  attestation_contract: contract,
  schema_uid: schemaUid,
  relayers,
});

const fileForm = ({ trust, promiseKeys, logKeys, former }: Pin) => ({
  ...snakeTrust(trust),
  ...(promiseKeys.length > 0 ? { promise_keys: promiseKeys } : {}),
  ...(logKeys.length > 0 ? { log_keys: logKeys } : {}),
  ...(former.length > 0 ? { former: former.map(snakeTrust) } : {}),
});

function parsePin(path: string, origin: string, value: unknown): Pin {
  const malformed = () =>
    usageError(`the pin of ${origin} in ${path} is malformed; correct it or delete it in the file`);
  const given = (value ?? {}) as Record<string, unknown>;
  const { promise_keys: keys = [], log_keys: logKeys = [], former = [] } = given;
  if (!Array.isArray(former) || !Array.isArray(keys) || !keys.every((key) => isHex(key, 32)))
    throw malformed();
  try {
    const facts = readFacts({ chain: value, log: { keys: logKeys } });
    if (!Array.isArray(logKeys) || facts.logKeys.length < logKeys.length) throw malformed();
    return {
      trust: facts.trust,
      promiseKeys: keys,
      logKeys: facts.logKeys,
      former: former.map((chain: unknown) => readFacts({ chain }).trust),
    };
  } catch {
    throw malformed();
  }
}

const write = (path: string, pins: Record<string, unknown>) =>
  writePrivate(path, `${JSON.stringify(pins, null, 2)}\n`);

function readAll(path: string): Record<string, unknown> {
  const pins = readPrivate(path) ?? {};
  if (typeof pins === 'object' && !Array.isArray(pins)) return pins as Record<string, unknown>;
  throw usageError(`${path} is not a JSON object`);
}

/**
 * Never pins over plain http, nor on this machine, whose chain is often recreated.
 * @returns pins the service; call it once the account exists
 */
export async function contact(
  origin: string,
  env: NodeJS.ProcessEnv,
): Promise<() => { pinned: boolean; words: string[] }> {
  const path = pinsPath(env);
  const facts = await serviceFactsAt(origin);
  const pin = readPin(path, origin);
  if (pin !== null && facts !== null) refuseChanges(path, origin, pin, facts);
  return () => {
    const isNew = pin === null && facts !== null && canBePinned(origin) && !isLoopback(origin);
    if (isNew) addPin(path, origin, facts);
    const words = `Its chain, relayer and promise keys are pinned in ${path}; svc verify and svc audit now trust them.`;
    return { pinned: pin !== null || isNew, words: when(isNew, words) };
  };
}
