import { isDay } from '@svc/protocol';
import { checkAuthor, verifyReceipt } from '@svc/verifier';
import type { AuthorCheck, ChainReader, PromiseCheck, Verification } from '@svc/verifier';
import { patientRpcChain } from '@svc/verifier/evidence';
import type { TimestampCheck } from '@svc/timestamp';
import type { OtsCheck } from '@svc/timestamp/ots';
import { chooseEndpoint, chooseTrust, RPC_PATIENCE_MS } from '../find-trust.ts';
import type { Chosen, Endpoint, Known, NamedTrust } from '../find-trust.ts';
import { isRequired, judgeEvidence, judgeOts, judgeTimestamps } from '../judge-evidence.ts';
import type { JudgedEvidence } from '../judge-evidence.ts';
import { judgeLog, type LogCheck } from '../judge-log.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { load, type LoadedReceipt } from './load.ts';
import { serviceFactsAt, orFallback, publicEtchAt, clientWithoutKey } from '../service-requests.ts';
import { type Context, present } from '../context.ts';
import { type FilesCheck, judgeFiles } from '../files/judge-files.ts';
import { type IndexCheck, judgeIndex } from './receipt-index.ts';
import { judgePromise, type ReadPromise } from '../promise-file.ts';
import { movedWords } from '../chain-moves.ts';
import { pinOn, pinsPath, readPin } from '../pins.ts';
import { ApiError, ConnectionError, publicFieldsOf } from '@svc/sdk';
import { holdsIf } from '../verdict-words.ts';

/** The checks after those of the receipt, by their field in the JSON. Null: there is nothing to check. */
export interface Extras {
  timestamp: TimestampCheck | null;
  ots: OtsCheck | null;
  log: LogCheck | null;
  index: IndexCheck | null;
  author: AuthorCheck | null;
  promise: PromiseCheck | null;
  files: FilesCheck | null;
}

export interface Judged extends LoadedReceipt {
  known: Known;
  chosen: Chosen;
  endpoint: Endpoint;
  /** of a pass: a value that the reader did not supply */
  condition: string | null;
  /** the receipt names a chain that is not pinned, and a move to it is stated */
  moved: string | null;
  verification: Verification;
  judged: JudgedEvidence | null;
  extras: Extras;
  promiseNotes: string[];
}

const NO_ENDPOINT: Endpoint = { urls: [], own: true, notes: [] };

export const judge = async (
  target: string,
  named: NamedTrust | null,
  options: VerifyOptions,
  context: Pick<Context, 'env'>,
): Promise<Judged> => judgeLoaded(await load(target, options), named, options, context);

/** Pins nothing. */
export async function judgeLoaded(
  loaded: LoadedReceipt,
  named: NamedTrust | null,
  options: VerifyOptions,
  { env }: Pick<Context, 'env'>,
): Promise<Judged> {
  const { receipt, evidence, service, origin } = loaded;
  const { offline, rpc } = options;
  const { chain } = receipt;
  const pinned = origin === null ? null : readPin(pinsPath(env), origin);
  const pin = pinned && pinOn(pinned, chain.chain_id);
  const mayHaveMoved = pin !== null && pin.trust.chainId !== chain.chain_id;
  const needsEndpoint = evidence === null && rpc.length === 0 && named?.facts.rpcUrl == null;
  const needsService = service !== null || needsEndpoint || mayHaveMoved || options.promise !== undefined;
  // A stranger's receipt may name a host of the reader's own network.
  const isNamed =
    service !== null || pin !== null || [new URL(options.baseUrl).origin, named?.origin].includes(origin);
  const facts = needsService && origin !== null && !offline ? await serviceFactsAt(origin, isNamed) : null;
  const known = { named, pin, facts };
  const chosen = chooseTrust(options, known, {
    chainId: chain.chain_id,
    contract: chain.attestation_contract,
    schemaUid: chain.schema_uid,
    relayers: [chain.relayer],
  })!;
  const readsChain = !offline && evidence === null;
  const endpoint = readsChain
    ? chooseEndpoint(rpc, chosen.trust, known, isNamed ? origin : null)
    : NO_ENDPOINT;
  const log = await judgeLog(loaded, options);
  const judged = evidence && (await judgeEvidence(evidence, chosen.trust, options));
  const moved =
    origin !== null && pin !== null && chosen.source === 'pin'
      ? movedWords(receipt, origin, pin, facts)
      : null;
  const verification =
    judged?.verification ?? (await verifyReceipt(receipt, chosen.trust, readerOf(endpoint, options)));
  return {
    ...loaded,
    known,
    chosen,
    endpoint,
    // Without the chain the relayers do not matter.
    condition: isRequired(options, 'chain') ? (moved ?? holdsIf(chosen, endpoint, origin)) : null,
    moved,
    verification: moved === null ? verification : waitForMove(verification, moved),
    judged,
    extras: {
      timestamp: evidence && (await judgeTimestamps(evidence, options)),
      ots: evidence && (await judgeOts(evidence, options)),
      log,
      index: await judgeIndex({ receipt, answers: loaded.indexAnswers, origin, isNamed }, options, { env }),
      author: null,
      promise: null,
      files: null,
    },
    promiseNotes: [],
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

/** Adds the checks of the author, the promise and the files. */
export async function judgeFurther(
  found: Judged,
  promised: ReadPromise | null,
  options: VerifyOptions,
  output: Context,
): Promise<Judged> {
  const { receipt, service, verification, known } = found;
  const author = await findAuthor(found, options);
  const shown =
    promised !== null && service !== null ? await publicEtchAt(service, receipt.etch_id) : undefined;
  // The day in a file is unsigned: only the answer of the service may decide against it.
  const day: unknown = service === null ? promised?.createdOn : shown?.created_on;
  const createdOn = isDay(day) ? day : undefined;
  const publicFields = shown && publicFieldsOf(shown);
  const etch = { state: 'found', receipt, verification, createdOn, publicFields } as const;
  const promise = promised && judgePromise(promised, etch, service, known, options.promiseKey);
  const files = options.files.length === 0 ? null : await judgeFiles(receipt, verification, options, output);
  return {
    ...found,
    extras: { ...found.extras, author, promise: promise?.check ?? null, files },
    promiseNotes: promise?.notes ?? [],
  };
}

/** The pinned key, else the one that a pinned service lists. Null: no trusted source names a key. */
async function findAuthor(
  { receipt, evidence, origin, known: { pin }, verification }: Judged,
  options: VerifyOptions,
): Promise<AuthorCheck | null> {
  if (options.authorKey !== undefined)
    return checkAuthor(receipt, verification, { key: options.authorKey, listedBy: null });
  // Evidence is checked without the service.
  const isListed = pin !== null && evidence === null && origin !== null;
  if (!isListed || options.offline || receipt.signature === null) return null;
  const listed = clientWithoutKey(origin)
    .record(receipt.author.username, { limit: 1 })
    .first()
    .then(({ user: { user_id, public_key: key } }) =>
      user_id === receipt.author.user_id && key !== null
        ? checkAuthor(receipt, verification, { key, listedBy: origin })
        : null,
    );
  return orFallback(listed, null, [ApiError, ConnectionError, TypeError]);
}
