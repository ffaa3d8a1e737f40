import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain } from '@svc/verifier';
import type { Context } from '../context.ts';
import { inputError, waitError } from '../exit.ts';
import { readNamedTrust, type TrustOptions } from '../find-trust.ts';
import { printReport } from '../print.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import { check } from './check.ts';
import { load, type VerifyOptions } from './load.ts';
import { makeReport } from './report.ts';
import { decideTrust } from './trust.ts';

export interface CheckedEtch {
  receipt: Receipt;
  content: string;
  result: Result;
  verdict: string;
  isDevelopment: boolean;
}

export async function checkedEtch(
  target: string,
  trust: TrustOptions,
  baseUrl: string,
  context: Context,
): Promise<CheckedEtch> {
  const options: VerifyOptions = {
    ...trust,
    ...{ baseUrl, json: false, offline: false, promiseKey: [], blockHash: [], bitcoinHeader: [], files: [] },
  };
  const named = await readNamedTrust(options.trust);
  const loaded = await load(target, null, options);
  // Only a promise loads a missing etch.
  if (loaded.state === 'missing') throw inputError(`${loaded.origin} has no etch ${target}`);
  const trusted = await decideTrust(loaded, named, options, context.env);
  const checked = await check(loaded, trusted, options);
  const report = makeReport(
    loaded,
    trusted,
    checked,
    { author: null, promise: null, files: null },
    options,
    context.env,
  );
  const { receipt } = loaded;
  const { canonical_string: canonical } = receipt;
  const parts = canonical === null ? null : parseCanonicalString(canonical);
  if (parts === null)
    throw waitError(`the words of etch ${receipt.etch_id} are not public (${receipt.status})`);
  return {
    receipt,
    content: parts.content,
    result: resultUnder(report.condition, report.checked),
    verdict: printReport(report).trimEnd().split('\n').at(-1)!,
    isDevelopment: isDevelopmentChain(trusted.chosen.trust),
  };
}
