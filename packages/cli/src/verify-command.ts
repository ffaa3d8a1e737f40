import { parseReceipt, ReceiptError } from '@svc/protocol';
import type { Receipt, SignedPromise } from '@svc/protocol';
import { checkPromise, overall, rpcChain, verifyReceipt } from '@svc/verifier';
import type { ChainReader } from '@svc/verifier';
import type { ServiceFacts } from '@svc/sdk';
import { factsAt } from './ask-service.ts';
import { chooseTrust } from './choose-trust.ts';
import type { TrustFlags } from './choose-trust.ts';
import { CommandError, EXIT } from './exit.ts';
import { loadReceipt, NoSuchEtch } from './load-receipt.ts';
import type { Loaded } from './load-receipt.ts';
import { isWorthRemembering, pinsPath, readPin, readPinnedKeys, writePin } from './pins.ts';
import { printJson, printPromise, printReport } from './print.ts';
import { choosePromiseTrust, readPromise } from './promise-file.ts';

export interface VerifyOptions extends TrustFlags {
  rpc: string[];
  baseUrl: string;
  json: boolean;
  offline: boolean;
  /** a file with the promise that came with the etch */
  promise?: string;
  promiseKey: string[];
}

export interface Output {
  out(text: string): void;
}

/**
 * `svc verify`: loads a receipt, decides whom to trust, reads the chain, prints each check.
 * @returns the exit status
 * @throws {CommandError} on bad usage and unreadable input
 */
export async function verifyCommand(
  named: string | undefined,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const promised = options.promise === undefined ? null : await readPromise(options.promise);
  const target = named ?? promised?.parts.etchId;
  if (target === undefined) throw new CommandError(EXIT.usage, 'name a receipt, an etch, or a --promise');
  let loaded: Loaded;
  try {
    loaded = await loadReceipt(target, options.baseUrl, options.offline);
  } catch (error) {
    if (promised === null || !(error instanceof NoSuchEtch)) throw error;
    return missingEtch(promised.promise, options, env, output);
  }
  const { value, service, etchId } = loaded;
  const receipt = readReceipt(value, etchId);
  const origin = service ?? originOf(receipt);
  const pins = pinsPath(env);
  const pin = origin === null ? null : readPin(pins, origin);
  const facts = await askService(origin, service !== null, options);
  const chosen = chooseTrust(options, pin, facts?.trust ?? null, receipt);
  const remembered = service !== null && pin === null && facts !== null && isWorthRemembering(service);
  if (remembered) writePin(pins, service, facts);
  const { reader, note } = chooseReader(options, facts);

  const verification = await verifyReceipt(receipt, chosen.trust, reader);
  const keys = choosePromiseTrust(
    options.promiseKey,
    origin === null ? null : readPinnedKeys(pins, origin),
    facts?.promiseKeys ?? null,
  );
  const promise =
    promised &&
    checkPromise(promised.promise, keys.trust, { state: 'found', receipt, verification }, Date.now());
  const checks = [...verification.checks, ...(promise === null ? [] : [promise])];
  const result = overall({ checks });
  const notes = [
    ...chosen.notes,
    ...(promise === null ? [] : keys.notes),
    ...(service === null && pin === null && facts !== null
      ? [`the service asked is ${origin}, which only the receipt names: a forger would name one of their own`]
      : []),
    ...(remembered ? [`this was the first contact with ${service}: its chain is remembered in ${pins}`] : []),
    ...(pin === null
      ? []
      : [`trusted is what was remembered of ${origin} in ${pins}; to forget it, delete it there`]),
    ...note,
  ];
  const print = options.json ? printJson : printReport;
  output.out(print({ receipt, verification, promise, chosen, notes, result }));
  return EXIT[result];
}

/** The service has no such etch: with its promise in hand that is an answer. */
async function missingEtch(
  promise: SignedPromise,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const { origin } = new URL(options.baseUrl);
  const facts = options.promiseKey.length > 0 ? null : await factsAt(origin);
  const pinned = readPinnedKeys(pinsPath(env), origin);
  const { trust, notes } = choosePromiseTrust(options.promiseKey, pinned, facts?.promiseKeys ?? null);
  const check = checkPromise(promise, trust, { state: 'missing' }, Date.now());
  const result = overall({ checks: [check] });
  output.out(printPromise({ check, notes, result, json: options.json }));
  return EXIT[result];
}

function readReceipt(value: unknown, etchId: string | null): Receipt {
  try {
    const receipt = parseReceipt(value);
    if (etchId !== null && receipt.etch_id !== etchId)
      throw new CommandError(
        EXIT.fail,
        `FAIL: asked for etch ${etchId}, the receipt is of ${receipt.etch_id}`,
      );
    return receipt;
  } catch (error) {
    if (error instanceof ReceiptError)
      throw new CommandError(EXIT.fail, `FAIL: not a valid receipt: ${error.message}`);
    throw error;
  }
}

/** The service a receipt names; null when it names none that could be asked. */
function originOf(receipt: Receipt): string | null {
  const url = receipt._verify_without_etch;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : null;
}

/** A service is asked only when something of it is needed: its trust on contact, its endpoint without `--rpc`. */
async function askService(
  origin: string | null,
  contacted: boolean,
  options: VerifyOptions,
): Promise<ServiceFacts | null> {
  if (origin === null || options.offline) return null;
  const needed = contacted || options.rpc.length === 0 || options.promise !== undefined;
  return needed ? factsAt(origin) : null;
}

function chooseReader(
  options: VerifyOptions,
  facts: ServiceFacts | null,
): { reader: ChainReader; note: string[] } {
  const unread = (reason: string, note: string[]) => ({
    reader: { attestation: () => Promise.resolve({ kind: 'unreachable', reason } as const) },
    note,
  });
  if (options.offline) return unread('this is --offline', []);
  if (options.rpc.length > 0) return { reader: rpcChain({ urls: options.rpc }), note: [] };
  if (facts?.rpcUrl == null)
    return unread('no endpoint is known', ['no endpoint of the chain is known; name one with --rpc']);
  const note = [
    `the chain was read through ${facts.rpcUrl}, which the service names; name your own with --rpc`,
  ];
  return { reader: rpcChain({ urls: [facts.rpcUrl] }), note };
}
