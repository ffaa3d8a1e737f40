import { present, when } from './context.ts';
import { isUrl } from './find-named.ts';
import { readJsonFile } from './input-file.ts';
import type { Receipt } from '@svc/protocol';
import { readFacts, type ServiceFacts } from '@svc/sdk';
import { type Trust, trustChanges } from '@svc/verifier';
import { type InputOf, many, read } from './command.ts';
import { clientWithoutKey, readErrorOf } from './service-requests.ts';
import { inputError, usageError } from './exit.ts';
import { guardedEndpoint } from './public-fetch.ts';
import { address, bytes32, chainId, httpUrl } from './options.ts';
import { moveFrom, moveWords } from './chain-moves.ts';
import { canBePinned, type Pin } from './pins.ts';

/** The reader supplies the first three. */
type Source = 'flag' | 'trust' | 'pin' | 'service' | 'receipt';

const STANDING: readonly Source[] = ['flag', 'trust', 'pin', 'service', 'receipt'];

export const TRUST = {
  '--rpc <url>': many('JSON-RPC endpoint of the chain; may be repeated, others are tried in order', httpUrl),
  '--trust <url|file>': 'trust the values of this service, or of its saved /.well-known/svc.json',
  '--relayer <address>': many('trusted attester; may be repeated', address),
  '--contract <address>': read(address, 'trusted attestation contract'),
  '--schema <uid>': read(bytes32, 'trusted schema'),
  '--chain-id <number>': read(chainId, 'trusted chain id'),
};
export type TrustOptions = InputOf<typeof TRUST>;

/** By a service, or by the manifest of its archive. */
export type Published = Omit<ServiceFacts, 'name' | 'identity'>;

/** Sources of trust that were read; `named`: by --trust. */
export interface Known {
  named: NamedTrust | null;
  pin: Pin | null;
  facts: Published | null;
}

export interface Chosen {
  trust: Trust;
  sources: Record<keyof Trust, Source>;
  source: Source;
  /** the reader supplies every value; only then can a check pass */
  pinned: boolean;
  notes: string[];
}

export const TRUST_NAMES: Record<keyof Trust, [name: string, flag: string]> = {
  relayers: ['relayer', '--relayer'],
  contract: ['contract', '--contract'],
  schemaUid: ['schema', '--schema'],
  chainId: ['chain id', '--chain-id'],
};
export const TRUST_KEYS = Object.keys(TRUST_NAMES) as (keyof Trust)[];

export const isOwn = (source: Source): boolean => STANDING.indexOf(source) <= STANDING.indexOf('pin');

/** Reads what a receipt claims. svc trusts it only if a pin says the same. */
export const trustOfReceipt = ({ chain }: Receipt): Trust => ({
  chainId: chain.chain_id,
  contract: chain.attestation_contract,
  schemaUid: chain.schema_uid,
  relayers: [chain.relayer],
});

/** The first source supplies the values that no flag names. */
export function chooseTrust(
  { relayer, contract, schema, chainId }: Omit<TrustOptions, 'trust' | 'rpc'>,
  { named, pin, facts }: Known,
  receipt?: Trust,
): Chosen | null {
  const known = { trust: named?.facts.trust, pin: pin?.trust, service: facts?.trust, receipt };
  const flagged: Partial<Trust> = {
    ...(relayer.length > 0 ? { relayers: relayer } : {}),
    ...present({ contract, schemaUid: schema, chainId }),
  };
  const rest = STANDING.filter((source) => source !== 'flag').find((source) => known[source]);
  const from = (key: keyof Trust) => (flagged[key] === undefined ? rest : 'flag');
  if (TRUST_KEYS.some((key) => from(key) === undefined)) return null;
  const trust = { ...(rest && known[rest]), ...flagged } as Trust;
  const sources = Object.fromEntries(TRUST_KEYS.map((key) => [key, from(key)])) as Chosen['sources'];
  const source = STANDING.findLast((one) => Object.values(sources).includes(one))!;
  const notes = TRUST_KEYS.filter((key) => !isOwn(sources[key])).map((key) => {
    const [name, flag] = TRUST_NAMES[key];
    return `${name} ${[trust[key]].flat().join(', ')} comes from the ${sources[key]}, not from you; pin it with ${flag}`;
  });
  return { trust, sources, source, pinned: isOwn(source), notes };
}

export const pinNotes = ({ source }: Chosen, origin: string | null, pins: string): string[] =>
  when(source === 'pin', `the trusted values are those that you pinned for ${origin} in ${pins}`);

export interface NamedTrust {
  facts: ServiceFacts;
  origin: string | null;
}

export async function readNamedTrust(named: string | undefined): Promise<NamedTrust | null> {
  if (named === undefined) return null;
  const url = isUrl(named) ? new URL(named) : null;
  const document = url === null ? await readJsonFile(named) : await fetchTrust(url);
  try {
    return { facts: readFacts(document), origin: url !== null && isWellKnown(url) ? url.origin : null };
  } catch {
    throw inputError(
      `${named} does not have the format of /.well-known/svc.json: name a service, or its saved document`,
    );
  }
}

const WELL_KNOWN = '/.well-known/svc.json';
const isWellKnown = ({ pathname }: URL): boolean => pathname === '/' || pathname === WELL_KNOWN;

async function fetchTrust(url: URL): Promise<unknown> {
  refusePlainHttp(url.origin);
  const path = isWellKnown(url) ? WELL_KNOWN : url.pathname + url.search;
  try {
    return await clientWithoutKey(url.origin).document(path);
  } catch (error) {
    throw readErrorOf(error, url.origin + path);
  }
}

export function refusePlainHttp(origin: string): void {
  if (canBePinned(origin)) return;
  throw usageError(
    `${origin} is plain http, so anyone on the network path could change the values to trust; give its https address`,
  );
}

/** A node that just started refuses connections. */
export const RPC_PATIENCE_MS = 5_000;

/** `own`: the reader, or a service that the reader trusts, names them. */
export interface Endpoint {
  urls: readonly string[];
  own: boolean;
  notes: string[];
  /** for a host that the reader did not name */
  fetch?: typeof globalThis.fetch;
}

/**
 * Takes the endpoint of `--rpc`, `--trust`, the pinned service or, not as `own`, the receipt's service, because a
 * forger can run an endpoint too. A pin covers only endpoints of the pinned chain.
 * @param service whose `facts` these are; null: the reader did not name it
 */
export function chooseEndpoint(
  rpc: readonly string[],
  trust: Trust,
  { named, pin, facts }: Known,
  service: string | null,
): Endpoint {
  if (rpc.length > 0) return { urls: rpc, own: true, notes: [] };
  const none = (...notes: string[]): Endpoint => ({ urls: [], own: false, notes });
  const from = named?.facts.rpcUrl != null ? named.facts : facts;
  const changed =
    from === facts && pin !== null && facts !== null ? trustChanges(pin.trust, facts.trust) : [];
  const move = changed.length > 0 && pin !== null && facts !== null ? moveFrom(pin, facts) : null;
  if (move !== null) return none(moveWords(move), 'or name an endpoint of the pinned chain with --rpc');
  if (changed.length > 0)
    return none(
      `the service now publishes other values than you pinned, so its endpoint is not used: ${changed.join('; ')}`,
      'name one with --rpc',
    );
  if (from?.rpcUrl == null)
    return none(
      `no endpoint of the chain is known; name one with --rpc${service === null ? ', or the service with --base-url' : ''}`,
    );
  const isSavedByReader = from !== facts && named?.origin === null;
  return {
    urls: [from.rpcUrl],
    ...(isSavedByReader ? {} : { fetch: guardedEndpoint(from === facts ? service : named!.origin) }),
    own: from !== facts || (pin !== null && trustChanges(pin.trust, trust).length === 0),
    notes: [
      `the chain was read through ${from.rpcUrl}, an endpoint that the service names; name your own with --rpc`,
    ],
  };
}
