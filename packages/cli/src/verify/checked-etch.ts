// Checks an etch for commands that go on to work with its words.
import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import { type Context, lines } from '../context.ts';
import { waitError } from '../exit.ts';
import { readNamedTrust, type TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { openSession } from '../session.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { judge } from './check.ts';
import { makeReport, reportLines } from './report.ts';

export interface CheckedEtch {
  receipt: Receipt;
  content: string;
  result: Result;
  verdict: string;
  isDevelopment: boolean;
}

export async function checkedEtch(
  target: string,
  given: ServiceOptions & TrustOptions,
  context: Context,
): Promise<CheckedEtch> {
  const { baseUrl } = openSession(given, context.env);
  const options: VerifyOptions = {
    ...given,
    baseUrl,
    json: false,
    offline: false,
    promiseKey: [],
    blockHash: [],
    bitcoinHeader: [],
    indexWitness: [],
    files: [],
  };
  const found = await judge(target, await readNamedTrust(options.trust), options, context);
  const report = makeReport(found, options, context);
  const { receipt, chosen } = found;
  const parts = parseCanonicalString(receipt.canonical_string ?? '');
  if (parts === null)
    throw waitError(`the words of etch ${receipt.etch_id} are not public (${receipt.status})`);
  return {
    receipt,
    content: parts.content,
    result: resultUnder(report.condition, report.checked),
    verdict: lines(reportLines(report).at(-1)!).trimEnd(),
    isDevelopment: isDevelopmentChain(chosen.trust),
  };
}
