// Checks an etch for commands that go on to work with its words.
import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import { defaultsOf } from '../command.ts';
import { type Context, lines } from '../context.ts';
import { waitError } from '../exit.ts';
import { readNamedTrust, type TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { author } from '../proofs/author.ts';
import { checkProofs, PROOFS } from '../proofs/list.ts';
import type { LoadedReceipt } from '../proofs/proof.ts';
import { openSession } from '../session.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import { VERIFY, type VerifyOptions } from '../verify-options.ts';
import { judgeLoaded } from './check.ts';
import { load, loadedFrom } from './load.ts';
import { makeReport, reportLines } from './report.ts';

export interface CheckedReceipt {
  receipt: Receipt;
  /** null while sealed, and when erased */
  content: string | null;
  /** the earliest that a proof shows; null: no time is proven */
  time: string | null;
  /** what shows this time: the attestation, or a witness of the evidence */
  proof: string | null;
  result: Result;
  verdict: string;
  isDevelopment: boolean;
}

export interface CheckedEtch extends CheckedReceipt {
  content: string;
}

type WitnessOption = 'policy' | 'tsaCertificates' | 'bitcoinHeader' | 'bitcoinRpc';
type Given = ServiceOptions & TrustOptions & Partial<Pick<VerifyOptions, WitnessOption>>;

/** @throws {CommandError} when its words are not public */
export async function checkedEtch(target: string, given: Given, context: Context): Promise<CheckedEtch> {
  const options = verifyOptions(given, context);
  const checked = await checkedOf(await load(target, options), options, context);
  const { content, receipt } = checked;
  if (content === null)
    throw waitError(`the words of etch ${receipt.etch_id} are not public (${receipt.status})`);
  return { ...checked, content };
}

/**
 * The chain decides, and evidence adds the times of its witnesses.
 * @param value a receipt or evidence
 */
export async function checkedReceipt(
  value: unknown,
  given: Given,
  context: Context,
): Promise<CheckedReceipt> {
  const options = verifyOptions(given, context);
  return checkedOf(loadedFrom(value, null, options), options, context);
}

const verifyOptions = (given: Given, { env }: Context): VerifyOptions => {
  const { baseUrl } = openSession(given, env);
  const { rpc, relayer, bitcoinHeader = [] } = given;
  return { ...given, ...defaultsOf(VERIFY), rpc, relayer, bitcoinHeader, baseUrl };
};

/** The callers check many etches: no further request for the author of each. */
const proofs = PROOFS.filter(({ field }) => field !== author.field);

async function checkedOf(
  loaded: LoadedReceipt,
  options: VerifyOptions,
  context: Context,
): Promise<CheckedReceipt> {
  const named = await readNamedTrust(options.trust);
  const judged = await judgeLoaded({ ...loaded, evidence: null }, named, options, context, { proofs: [] });
  const checked = await checkProofs(proofs, { ...judged, evidence: loaded.evidence }, options, context);
  const report = makeReport({ ...judged, proofs: checked }, options, context);
  const { receipt, chosen, verification } = judged;
  const first = earliest([
    { time: verification.chain.onchainTimestamp, proof: 'attestation' },
    ...checked.map(({ proof, check }) => ({
      time: check.verdict === 'pass' ? check.time : null,
      proof: (proof.about ?? proof.title).replace(/^a /, ''),
    })),
  ]);
  return {
    receipt,
    content: parseCanonicalString(receipt.canonical_string ?? '')?.content ?? null,
    time: first?.time ?? null,
    proof: first?.proof ?? null,
    result: resultUnder(report.condition, report.checked),
    verdict: lines(reportLines(report).at(-1)!).trimEnd(),
    isDevelopment: isDevelopmentChain(chosen.trust),
  };
}

interface ProvenTime {
  time: string | null | undefined;
  proof: string;
}

/** The first of equal times. */
export const earliest = (times: readonly ProvenTime[]): ProvenTime | undefined =>
  times.filter(({ time }) => time != null).sort((a, b) => Date.parse(a.time!) - Date.parse(b.time!))[0];
