import { readFile } from 'node:fs/promises';
import { readFacts } from '@svc/sdk';
import type { ServiceFacts } from '@svc/sdk';
import { trustChanges } from '@svc/verifier';
import type { Trust } from '@svc/verifier';
import type { Command } from 'commander';
import { strangerAt, unreadable } from './ask-service.ts';
import type { TrustFlags } from './choose-trust.ts';
import { CommandError, EXIT } from './exit.ts';
import { address, bytes32, chainId, collect, httpUrl } from './options.ts';
import { parseJson } from './parse-json.ts';
import { canBePinned } from './pins.ts';
import type { Pin } from './pins.ts';

export interface TrustOptions extends TrustFlags {
  /** a url or a file that says whom to trust */
  trust?: string;
  rpc: string[];
}

/** What commands that check against the chain take. */
export const withTrust = (command: Command): Command =>
  command
    .option(
      '--rpc <url>',
      'JSON-RPC endpoint of the chain; repeat it to have others tried in order',
      collect(httpUrl),
      [],
    )
    .option('--trust <url|file>', 'whom to trust: a service, or its saved /.well-known/svc.json')
    .option('--relayer <address>', 'trusted attester; may be repeated', collect(address), [])
    .option('--contract <address>', 'trusted attestation contract', address)
    .option('--schema <uid>', 'trusted schema', bytes32)
    .option('--chain-id <number>', 'trusted chain id', chainId);

export interface NamedTrust {
  facts: ServiceFacts;
  /** of the service that was named; null for a file, or a document elsewhere */
  origin: string | null;
}

/** What `--trust` names. @throws {CommandError} when it cannot be had: what the reader asked for is not left out */
export async function readNamedTrust(named: string | undefined): Promise<NamedTrust | null> {
  if (named === undefined) return null;
  const isUrl = /^https?:\/\//i.test(named) && URL.canParse(named);
  const document = isUrl ? await fetchTrust(new URL(named)) : await readTrustFile(named);
  try {
    const origin = isUrl && isWellKnown(new URL(named)) ? new URL(named).origin : null;
    return { facts: readFacts(document), origin };
  } catch {
    throw new CommandError(EXIT.input, `${named} does not say whom to trust as /.well-known/svc.json does`);
  }
}

const WELL_KNOWN = '/.well-known/svc.json';
const isWellKnown = ({ pathname }: URL): boolean => pathname === '/' || pathname === WELL_KNOWN;

async function fetchTrust(url: URL): Promise<unknown> {
  refusePlainHttp(url.origin);
  const path = isWellKnown(url) ? WELL_KNOWN : url.pathname + url.search;
  try {
    return await strangerAt(url.origin).document(path);
  } catch (error) {
    throw unreadable(error, url.origin + path);
  }
}

/** @throws {CommandError} */
export function refusePlainHttp(origin: string): void {
  if (canBePinned(origin)) return;
  throw new CommandError(
    EXIT.usage,
    `${origin} is plain http: anybody on the way could say whom to trust; give its https address`,
  );
}

async function readTrustFile(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.input, `${path} cannot be read (${error.code})`);
  });
  const value = parseJson(bytes);
  if (value === undefined) throw new CommandError(EXIT.input, `${path} is not JSON`);
  return value;
}

/** How long `svc verify` tries an endpoint of `--rpc` again that refuses connections: a node that was just started is not ready. */
export const RPC_PATIENCE_MS = 5_000;

/** Which endpoints are asked, and whether they are the reader's choice or that of a service which the reader trusts. */
export interface Endpoint {
  urls: readonly string[];
  own: boolean;
  notes: string[];
}

/**
 * `--rpc`, else what the service trusted by `--trust`, else what the pinned service names, else what is named by whom
 * nobody vouched for: whoever forges a receipt runs an endpoint too. A pin vouches for the endpoint of its own chain alone.
 */
export function chooseEndpoint(
  rpc: readonly string[],
  trust: Trust,
  named: NamedTrust | null,
  pin: Pin | null,
  facts: ServiceFacts | null,
): Endpoint {
  if (rpc.length > 0) return { urls: rpc, own: true, notes: [] };
  const from = named?.facts.rpcUrl != null ? named.facts : facts;
  const changed =
    from === facts && pin !== null && facts !== null ? trustChanges(pin.trust, facts.trust) : [];
  if (changed.length > 0)
    return {
      urls: [],
      own: false,
      notes: [
        `the service publishes other values now than you pinned, and is not asked for an endpoint: ${changed.join('; ')}`,
        'name one with --rpc',
      ],
    };
  if (from?.rpcUrl == null)
    return { urls: [], own: false, notes: ['no endpoint of the chain is known; name one with --rpc'] };
  return {
    urls: [from.rpcUrl],
    own: from !== facts || (pin !== null && trustChanges(pin.trust, trust).length === 0),
    notes: [`the chain was read through ${from.rpcUrl}, which the service names; name your own with --rpc`],
  };
}
