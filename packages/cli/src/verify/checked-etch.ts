import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import { type Context, lines, type ServiceOptions } from '../context.ts';
import { inputError, waitError } from '../exit.ts';
import { readNamedTrust, type TrustOptions } from '../find-trust.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import { check } from './check.ts';
import { load, type VerifyOptions } from './load.ts';
import { makeReport, reportLines } from './report.ts';
import { decideTrust } from './trust.ts';
import { openSession } from '../session.ts';

export interface CheckedEtch {
  receipt: Receipt;
  content: string;
  result: Result;
  verdict: string;
  isDevelopment: boolean;
}

const NOTHING_ELSE = { author: null, promise: null, files: null };

export async function checkedEtch(
  target: string,
  given: ServiceOptions & TrustOptions,
  context: Context,
): Promise<CheckedEtch> {
  const { baseUrl } = openSession(given, context.env);
  const options: VerifyOptions = {
    ...given,
    ...{ baseUrl, json: false, offline: false, promiseKey: [], blockHash: [], bitcoinHeader: [], files: [] },
  };
  const named = await readNamedTrust(options.trust);
  const loaded = await load(target, null, options);
  // Only a promise loads a missing etch.
  if (loaded.state === 'missing') throw inputError(`${loaded.origin} has no etch ${target}`);
  const trusted = await decideTrust(loaded, named, options, context);
  const checked = await check(loaded, trusted, options);
  const report = makeReport(loaded, trusted, checked, NOTHING_ELSE, options, context);
  const { receipt } = loaded;
  const parts = parseCanonicalString(receipt.canonical_string ?? '');
  if (parts === null)
    throw waitError(`the words of etch ${receipt.etch_id} are not public (${receipt.status})`);
  return {
    receipt,
    content: parts.content,
    result: resultUnder(report.condition, report.checked),
    verdict: lines(reportLines(report).at(-1)!).trimEnd(),
    isDevelopment: isDevelopmentChain(trusted.chosen.trust),
  };
}
