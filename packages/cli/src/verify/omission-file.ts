// `svc verify` of a file svc-omission:v1.
import { ReceiptError } from '@svc/protocol';
import { IndexError } from '@svc/protocol/account-index';
import * as index from '@svc/verifier/account-index';
import type { Context, Shown } from '../context.ts';
import { EXIT, parsed } from '../exit.ts';
import { type Result, VERDICT_WORDS } from '../verdict-words.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { savedTrust } from '../proofs/account-index.ts';
import { originOfUrl } from './load.ts';
import { faultOf } from './saved-files.ts';

/** A pass convicts the operator of the log. */
export async function verifyOmission(
  value: unknown,
  options: VerifyOptions,
  context: Context,
): Promise<Shown> {
  const kinds = [IndexError, ReceiptError];
  const malformed = 'FAIL: not a valid omission file';
  const file = parsed(() => index.parseOmission(value), kinds, malformed, EXIT.fail);
  const { receipt, tree, pages } = file;
  const { origin } = pages[0]!.checkpoint;
  const trust = await savedTrust(options, originOfUrl(receipt._verify_without_etch), context, true);
  const { result, detail } = judge();
  const of = { etch_id: receipt.etch_id, user_id: receipt.author.user_id, hash: receipt.hash };
  return {
    value: { result, ...of, log: origin, log_index: tree.logIndex, detail },
    words: [
      `Omission of etch ${receipt.etch_id} (${receipt.hash}) by the log ${origin}`,
      '',
      `${result.toUpperCase()}  the index of accounts: ${detail}`,
      VERDICT_WORDS.omission[result],
    ],
    status: EXIT[result],
  };

  function judge(): { result: Result; detail: string } {
    try {
      const { covered, entries } = index.checkOmission(file, trust);
      const detail = `the tree at the log index ${tree.logIndex} has the leaf of the etch for ${receipt.author.user_id}, and the index over ${covered} entries of the log gives this account ${entries.length} entries without it`;
      return { result: 'pass', detail };
    } catch (error) {
      return faultOf(error, trust);
    }
  }
}
