import { ReceiptError, parseReceipt } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import type { ServiceFacts } from '@svc/sdk';
import { overall, verifyReceipt } from '@svc/verifier';
import type { ChainReader, KeptPromise } from '@svc/verifier';
import { counted, patientRpcChain } from '@svc/verifier/evidence';
import { factsAt, publicFieldsAt } from './ask-service.ts';
import type { Context } from './context.ts';
import { judgeFiles, verifyFilesAlone } from './files/judge-files.ts';
import { findAuthor } from './find-author.ts';
import { chooseTrust } from './choose-trust.ts';
import { CommandError, EXIT } from './exit.ts';
import { chooseEndpoint, readNamedTrust, RPC_PATIENCE_MS } from './find-trust.ts';
import type { Endpoint, NamedTrust, TrustOptions } from './find-trust.ts';
import { isEvidence, judgeEvidence, readEvidence, refuseUnusedHashes } from './judge-evidence.ts';
import { judgePromise } from './judge-promise.ts';
import { isRequired, judgeTimestamps, refuseUnusedTimestamps } from './judge-timestamps.ts';
import type { TimestampOptions } from './judge-timestamps.ts';
import type { Known } from './judge-promise.ts';
import { loadReceipt, NoSuchEtch } from './load-receipt.ts';
import type { Loaded } from './load-receipt.ts';
import { pinChanges, pinsPath, readPin } from './pins.ts';
import { printJson, printPromise, printReport } from './print.ts';
import { readPromise } from './promise-file.ts';
import type { PromiseOptions } from './promise-file.ts';
import { holdsIf, resultUnder } from './verdict-words.ts';

export interface VerifyOptions extends TrustOptions, TimestampOptions, PromiseOptions {
  baseUrl: string;
  json: boolean;
  offline: boolean;
  /** the author's key, as the reader knows it */
  authorKey?: string;
  promiseKey: string[];
  /** hashes of blocks that the reader knows, for evidence */
  blockHash: string[];
  /** files and folders to compare with the words, and what was kept of them */
  files: string[];
  manifest?: string;
  disclosure?: string;
}

/**
 * `svc verify`: loads a receipt, decides whom to trust, reads the chain, prints each check. It pins nothing.
 * @returns the exit status
 * @throws {CommandError} on bad usage and unreadable input
 */
export async function verifyCommand(
  target: string | undefined,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Context,
): Promise<number> {
  if (options.files.length === 0 && (options.manifest ?? options.disclosure) !== undefined)
    throw new CommandError(EXIT.usage, 'name the files with --files');
  if (target === undefined && options.promise === undefined && options.files.length > 0)
    return verifyFilesAlone(options, options.json, output);
  const promised = await readPromise(options);
  const wanted = target ?? promised?.fields.etchId;
  if (wanted === undefined) throw new CommandError(EXIT.usage, 'name a receipt, an etch, or a --promise');
  const named = await readNamedTrust(options.trust);
  let loaded: Loaded;
  try {
    loaded = await loadReceipt(wanted, options.baseUrl, options.offline);
  } catch (error) {
    if (promised === null || !(error instanceof NoSuchEtch)) throw error;
    return missingEtch(promised, error.origin, named, options, env, output);
  }
  const { value, service, etchId } = loaded;
  const evidence = isEvidence(value) ? readEvidence(value) : null;
  refuseUnusedHashes(evidence, options);
  refuseUnusedTimestamps(evidence, options);
  const receipt = evidence?.receipt ?? readReceipt(value, etchId);
  const origin = service ?? originOf(receipt);
  const pin = origin === null ? null : readPin(pinsPath(env), origin);
  const needsEndpoint = evidence === null && options.rpc.length === 0 && named?.facts.rpcUrl == null;
  const facts = await askService(origin, service !== null || needsEndpoint, options);
  const known = { named, pin, facts };
  const chosen = chooseTrust(options, {
    trust: named?.facts.trust,
    pin: pin?.trust,
    service: facts?.trust,
    receipt: {
      chainId: receipt.chain.chain_id,
      contract: receipt.chain.attestation_contract,
      schemaUid: receipt.chain.schema_uid,
      relayers: [receipt.chain.relayer],
    },
  })!;
  const judged = evidence && (await judgeEvidence(evidence, chosen.trust, options));
  const timestamp = evidence && (await judgeTimestamps(evidence, options));
  const needsChain = isRequired(options, 'chain');
  const endpoint =
    options.offline || judged !== null
      ? OFFLINE
      : chooseEndpoint(options.rpc, chosen.trust, named, pin, facts);
  const verification =
    judged?.verification ?? (await verifyReceipt(receipt, chosen.trust, readerOf(endpoint, options)));
  // Whoever has evidence asks nobody.
  const listing = pin === null || judged !== null ? null : origin;
  const author = await findAuthor({ receipt, verification, options, origin: listing });
  const publicFields =
    promised !== null && service !== null ? await publicFieldsAt(service, receipt.etch_id) : undefined;
  const found = {
    state: 'found',
    receipt,
    verification,
    createdOn: promised?.createdOn,
    publicFields,
  } as const;
  const promise = promised && judgePromise(promised, found, service, known, options.promiseKey);
  const files = options.files.length === 0 ? null : await judgeFiles(receipt, verification, options, output);
  const [words, batch, chain] = verification.checks;
  const checks = [
    ...[words, batch, counted(chain, needsChain)],
    ...(timestamp === null ? [] : [counted(timestamp, isRequired(options, 'tsa'))]),
    ...(author === null ? [] : [author]),
    ...(promise === null ? [] : [promise.check]),
    ...(files === null ? [] : [files]),
  ];
  const checked = overall({ checks });
  // Whoever does not ask the chain need not know whose attestations count.
  const condition = needsChain ? holdsIf(chosen, endpoint, origin) : null;
  const notes = [
    ...chosen.notes,
    ...(judged?.notes ?? []),
    ...(promise?.notes ?? []),
    ...(service === null && pin === null && facts !== null
      ? [`the service asked is ${origin}, which only the receipt names: a forger would name one of their own`]
      : []),
    ...(chosen.source === 'pin' ? [`trusted is what you pinned of ${origin} in ${pinsPath(env)}`] : []),
    ...changeNotes(known, endpoint),
    ...endpoint.notes,
  ];
  const print = options.json ? printJson : printReport;
  output.out(
    print({
      receipt,
      verification,
      evidence: judged,
      timestamp,
      needsChain,
      author,
      promise: promise?.check ?? null,
      files,
      chosen,
      condition,
      notes,
      checked,
    }),
  );
  return EXIT[resultUnder(condition, checked)];
}

const OFFLINE: Endpoint = { urls: [], own: true, notes: [] };

/** A pin that the service contradicts counts all the same; the reader is told once. */
function changeNotes({ pin, facts }: Known, endpoint: Endpoint): string[] {
  if (pin === null || facts === null || endpoint.notes.some((note) => note.includes('other values')))
    return [];
  const changes = pinChanges(pin, facts);
  return changes.length === 0
    ? []
    : [`the service publishes other values now than you pinned: ${changes.join('; ')}`];
}

/** The service has no such etch: with its promise in hand that is an answer. */
async function missingEtch(
  kept: KeptPromise,
  origin: string,
  named: NamedTrust | null,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Pick<Context, 'out'>,
): Promise<number> {
  const pin = readPin(pinsPath(env), origin);
  const facts =
    pin === null && named === null && options.promiseKey.length === 0 ? await factsAt(origin) : null;
  const { check, notes } = judgePromise(
    kept,
    { state: 'missing' },
    origin,
    { named, pin, facts },
    options.promiseKey,
  );
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
  needed: boolean,
  options: VerifyOptions,
): Promise<ServiceFacts | null> {
  if (origin === null || options.offline) return null;
  return needed || options.promise !== undefined ? factsAt(origin) : null;
}

function readerOf({ urls }: Endpoint, { offline, rpc }: VerifyOptions): ChainReader {
  if (urls.length > 0) return patientRpcChain({ urls, patienceMs: rpc.length > 0 ? RPC_PATIENCE_MS : 0 });
  const reason = offline ? 'this is --offline' : 'no endpoint is known';
  return { attestation: () => Promise.resolve({ kind: 'unreachable', reason } as const) };
}
