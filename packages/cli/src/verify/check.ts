import { checkAuthor, verifyReceipt } from '@svc/verifier';
import type { AuthorCheck, ChainReader, Verification } from '@svc/verifier';
import { patientRpcChain } from '@svc/verifier/evidence';
import type { TimestampCheck } from '@svc/timestamp';
import type { OtsCheck } from '@svc/timestamp/ots';
import { chooseEndpoint, chooseTrust, RPC_PATIENCE_MS } from '../find-trust.ts';
import type { Chosen, Endpoint, NamedTrust } from '../find-trust.ts';
import { isRequired, judgeEvidence, judgeOts, judgeTimestamps } from '../judge-evidence.ts';
import type { JudgedEvidence } from '../judge-evidence.ts';
import { judgeLog, type LogCheck } from '../judge-log.ts';
import type { VerifyOptions } from '../verify-options.ts';
import type { LoadedReceipt, MissingEtch } from './load.ts';
import { factsAt, publicFieldsAt, strangerAt } from '../ask-service.ts';
import type { Context } from '../context.ts';
import { type FilesCheck, judgeFiles } from '../files/judge-files.ts';
import { judgePromise, type Known, type ReadPromise } from '../promise-file.ts';
import { pinsPath, readPin } from '../pins.ts';
import { ApiError, ConnectionError } from '@svc/sdk';
import { holdsIf } from '../verdict-words.ts';

export interface Trusted {
  known: Known;
  chosen: Chosen;
  endpoint: Endpoint;
  condition: string | null;
}

const NO_ENDPOINT: Endpoint = { urls: [], own: true, notes: [] };

/** Pins nothing. */
export async function decideTrust(
  { receipt, evidence, service, origin }: LoadedReceipt,
  named: NamedTrust | null,
  options: VerifyOptions,
  { env }: Pick<Context, 'env'>,
): Promise<Trusted> {
  const pin = origin === null ? null : readPin(pinsPath(env), origin);
  const needsEndpoint = evidence === null && options.rpc.length === 0 && named?.facts.rpcUrl == null;
  const needsService = service !== null || needsEndpoint || options.promise !== undefined;
  const facts = needsService && origin !== null && !options.offline ? await factsAt(origin) : null;
  const { chain } = receipt;
  const chosen = chooseTrust(options, {
    trust: named?.facts.trust,
    pin: pin?.trust,
    service: facts?.trust,
    receipt: {
      chainId: chain.chain_id,
      contract: chain.attestation_contract,
      schemaUid: chain.schema_uid,
      relayers: [chain.relayer],
    },
  })!;
  const readsChain = !options.offline && evidence === null;
  const endpoint = readsChain ? chooseEndpoint(options.rpc, chosen.trust, named, pin, facts) : NO_ENDPOINT;
  // Otherwise the relayers do not matter.
  const condition = isRequired(options, 'chain') ? holdsIf(chosen, endpoint, origin) : null;
  return { known: { named, pin, facts }, chosen, endpoint, condition };
}

export interface Checked {
  verification: Verification;
  evidence: JudgedEvidence | null;
  timestamp: TimestampCheck | null;
  ots: OtsCheck | null;
  log: LogCheck | null;
}

export async function check(
  loaded: LoadedReceipt,
  { chosen, endpoint }: Trusted,
  options: VerifyOptions,
): Promise<Checked> {
  const { receipt, evidence } = loaded;
  const log = await judgeLog(loaded, options);
  const judged = evidence && (await judgeEvidence(evidence, chosen.trust, options));
  return {
    verification:
      judged?.verification ?? (await verifyReceipt(receipt, chosen.trust, readerOf(endpoint, options))),
    evidence: judged,
    timestamp: evidence && (await judgeTimestamps(evidence, options)),
    ots: evidence && (await judgeOts(evidence, options)),
    log,
  };
}

function readerOf({ urls }: Endpoint, { offline, rpc }: VerifyOptions): ChainReader {
  if (urls.length > 0) return patientRpcChain({ urls, patienceMs: rpc.length > 0 ? RPC_PATIENCE_MS : 0 });
  const reason = offline ? 'this is --offline' : 'no endpoint is known';
  return { attestation: () => Promise.resolve({ kind: 'unreachable', reason } as const) };
}

type JudgedPromise = ReturnType<typeof judgePromise>;

export interface Extras {
  author: AuthorCheck | null;
  promise: JudgedPromise | null;
  files: FilesCheck | null;
}

export async function checkExtras(
  loaded: LoadedReceipt,
  { known }: Trusted,
  checked: Checked,
  promised: ReadPromise | null,
  options: VerifyOptions,
  output: Context,
): Promise<Extras> {
  const { receipt, service } = loaded;
  const { verification } = checked;
  const author = await findAuthor(loaded, known, checked, options);
  const publicFields =
    promised !== null && service !== null ? await publicFieldsAt(service, receipt.etch_id) : undefined;
  const createdOn = promised?.createdOn;
  const found = { state: 'found', receipt, verification, createdOn, publicFields } as const;
  const promise = promised && judgePromise(promised, found, service, known, options.promiseKey);
  const files = options.files.length === 0 ? null : await judgeFiles(receipt, verification, options, output);
  return { author, promise, files };
}

export async function checkMissing(
  { origin, promise }: MissingEtch,
  named: NamedTrust | null,
  { promiseKey }: VerifyOptions,
  { env }: Pick<Context, 'env'>,
): Promise<JudgedPromise> {
  const pin = readPin(pinsPath(env), origin);
  const facts = pin === null && named === null && promiseKey.length === 0 ? await factsAt(origin) : null;
  return judgePromise(promise, { state: 'missing' }, origin, { named, pin, facts }, promiseKey);
}

/** The pinned key, else the one that a pinned service lists. Null: no trusted source names a key. */
async function findAuthor(
  { receipt, origin }: LoadedReceipt,
  { pin }: Known,
  { verification, evidence }: Checked,
  options: VerifyOptions,
): Promise<AuthorCheck | null> {
  if (options.authorKey !== undefined)
    return checkAuthor(receipt, verification, { key: options.authorKey, listedBy: null });
  // Evidence is checked without the service.
  const isListed = pin !== null && evidence === null && origin !== null;
  if (!isListed || options.offline || receipt.signature === null) return null;
  try {
    const { user } = await strangerAt(origin).record(receipt.author.username, { limit: 1 }).first();
    const isAccount = user.user_id === receipt.author.user_id && user.public_key !== null;
    return isAccount ? checkAuthor(receipt, verification, { key: user.public_key!, listedBy: origin }) : null;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof TypeError)
      return null;
    throw error;
  }
}
