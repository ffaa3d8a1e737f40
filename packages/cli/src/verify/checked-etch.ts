// Checks an etch for commands that go on to work with its words.
import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import { defaultsOf } from '../command.ts';
import { type Context, lines } from '../context.ts';
import { waitError } from '../exit.ts';
import { readNamedTrust, type TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { author } from '../proofs/author.ts';
import { PROOFS } from '../proofs/list.ts';
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
  /** of the attestation on the chain; null: not read */
  time: string | null;
  result: Result;
  verdict: string;
  isDevelopment: boolean;
}

export interface CheckedEtch extends CheckedReceipt {
  content: string;
}

type Given = ServiceOptions & TrustOptions;

/** @throws {CommandError} when its words are not public */
export async function checkedEtch(target: string, given: Given, context: Context): Promise<CheckedEtch> {
  const options = verifyOptions(given, context);
  const checked = await checkedOf(await load(target, options), options, context);
  const { content, receipt } = checked;
  if (content === null)
    throw waitError(`the words of etch ${receipt.etch_id} are not public (${receipt.status})`);
  return { ...checked, content };
}

export async function checkedReceipt(
  receipt: Receipt,
  given: Given,
  context: Context,
): Promise<CheckedReceipt> {
  const options = verifyOptions(given, context);
  return checkedOf(loadedFrom(receipt, null, options), options, context);
}

const verifyOptions = (given: Given, { env }: Context): VerifyOptions => {
  const { baseUrl } = openSession(given, env);
  const { rpc, relayer } = given;
  return { ...given, ...defaultsOf(VERIFY), rpc, relayer, baseUrl };
};

/** The callers check many etches: no further request for the author of each. */
const proofs = PROOFS.filter(({ field }) => field !== author.field);

async function checkedOf(
  loaded: LoadedReceipt,
  options: VerifyOptions,
  context: Context,
): Promise<CheckedReceipt> {
  const found = await judgeLoaded(loaded, await readNamedTrust(options.trust), options, context, { proofs });
  const report = makeReport(found, options, context);
  const { receipt, chosen, verification } = found;
  return {
    receipt,
    content: parseCanonicalString(receipt.canonical_string ?? '')?.content ?? null,
    time: verification.chain.onchainTimestamp,
    result: resultUnder(report.condition, report.checked),
    verdict: lines(reportLines(report).at(-1)!).trimEnd(),
    isDevelopment: isDevelopmentChain(chosen.trust),
  };
}
