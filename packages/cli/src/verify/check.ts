import { verifyReceipt } from '@svc/verifier';
import type { ChainReader, Verification } from '@svc/verifier';
import { patientRpcChain } from '@svc/verifier/evidence';
import { chooseEndpoint, chooseTrust, RPC_PATIENCE_MS, trustOfReceipt } from '../find-trust.ts';
import type { Endpoint, NamedTrust } from '../find-trust.ts';
import { blocksOf, verifyBlocks } from '../proofs/chain.ts';
import { type CheckedProof, checkProofs, type ListedProof, PROOFS } from '../proofs/list.ts';
import { isRequired, type LoadedReceipt, type VerifiedReceipt } from '../proofs/proof.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { load } from './load.ts';
import { serviceFactsAt } from '../service-requests.ts';
import { type Context, present } from '../context.ts';
import { movedWords } from '../chain-moves.ts';
import { pinOn, pinsPath, readPin } from '../pins.ts';
import { holdsIf } from '../verdict-words.ts';

export interface Judged extends VerifiedReceipt {
  endpoint: Endpoint;
  /** of a pass: a value that the reader did not supply */
  condition: string | null;
  /** the receipt names a chain that is not pinned, and a move to it is stated */
  moved: string | null;
  /** next to words, tree and chain */
  proofs: CheckedProof[];
}

const NO_ENDPOINT: Endpoint = { urls: [], own: true, notes: [] };

export const judge = async (
  target: string,
  named: NamedTrust | null,
  options: VerifyOptions,
  context: Context,
  more: More = {},
): Promise<Judged> => judgeLoaded(await load(target, options), named, options, context, more);

interface More {
  promised?: VerifiedReceipt['promised'];
  proofs?: readonly ListedProof[];
}

/** Pins nothing. */
export async function judgeLoaded(
  loaded: LoadedReceipt,
  named: NamedTrust | null,
  options: VerifyOptions,
  context: Context,
  { promised = null, proofs = PROOFS }: More,
): Promise<Judged> {
  const { receipt, evidence, service, origin } = loaded;
  const { offline, rpc } = options;
  const pinned = origin === null ? null : readPin(pinsPath(context.env), origin);
  const pin = pinned && pinOn(pinned, receipt.chain.chain_id);
  const mayHaveMoved = pin !== null && pin.trust.chainId !== receipt.chain.chain_id;
  const needsEndpoint = evidence === null && rpc.length === 0 && named?.facts.rpcUrl == null;
  const needsService = service !== null || needsEndpoint || mayHaveMoved || options.promise !== undefined;
  // A stranger's receipt may name a host of the reader's own network.
  const isNamed =
    service !== null || pin !== null || [new URL(options.baseUrl).origin, named?.origin].includes(origin);
  const facts = needsService && origin !== null && !offline ? await serviceFactsAt(origin, isNamed) : null;
  const known = { named, pin, facts };
  const chosen = chooseTrust(options, known, trustOfReceipt(receipt))!;
  const readsChain = !offline && evidence === null;
  const endpoint = readsChain
    ? chooseEndpoint(rpc, chosen.trust, known, isNamed ? origin : null)
    : NO_ENDPOINT;
  const moved =
    origin !== null && pin !== null && chosen.source === 'pin'
      ? movedWords(receipt, origin, pin, facts)
      : null;
  const verification = await (evidence === null
    ? verifyReceipt(receipt, chosen.trust, readerOf(endpoint, options))
    : verifyBlocks(evidence, chosen.trust, options));
  const found: VerifiedReceipt = {
    ...loaded,
    isNamed,
    known,
    chosen,
    promised,
    verification: moved === null ? verification : waitForMove(verification, moved),
    blocks: evidence === null ? [] : blocksOf(evidence, chosen.trust),
  };
  return {
    ...found,
    endpoint,
    // Without the chain the relayers do not matter.
    condition: isRequired(options, 'chain') ? (moved ?? holdsIf(chosen, endpoint, origin)) : null,
    moved,
    proofs: await checkProofs(proofs, found, options, context),
  };
}

/** Its chain check failed only because the receipt names another chain. */
function waitForMove({ checks: [words, batch, chain], ...rest }: Verification, moved: string): Verification {
  const waiting = { ...chain, verdict: 'wait', detail: `${chain.detail} But ${moved}.` } as const;
  return { ...rest, checks: [words, batch, waiting] };
}

function readerOf({ urls, fetch }: Endpoint, { offline, rpc }: VerifyOptions): ChainReader {
  const patienceMs = rpc.length > 0 ? RPC_PATIENCE_MS : 0;
  if (urls.length > 0) return patientRpcChain({ urls, patienceMs, ...present({ fetch }) });
  const reason = offline ? 'this is --offline' : 'no endpoint is known';
  return { attestation: () => Promise.resolve({ kind: 'unreachable', reason } as const) };
}
