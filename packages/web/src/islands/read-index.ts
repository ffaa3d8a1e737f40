// The check of the entries of the index of accounts that a receipt has.
import type { Receipt } from '@svc/protocol';
import { parseVerifierKey } from '@svc/protocol/tlog';
import { checkSavedPlace } from '@svc/verifier/account-index';

/** @throws {TlogError} when an entered key is malformed */
export function readIndex(receipt: Receipt & { index?: unknown }, entered: (field: string) => string) {
  const keys = (entered('logKeys').match(/[^\s,;]+/g) ?? []).map(parseVerifierKey);
  const trust = { keys, policy: null, indexWitnesses: [], now: Date.now() / 1000 };
  const check = checkSavedPlace(receipt, receipt.index, trust);
  const named = { ...check, key: 'index', title: 'The index of accounts' };
  return check.badge === 'unread'
    ? { ...named, verdict: 'info', word: 'Not checked', detail: NO_KEY }
    : named;
}

const NO_KEY =
  'No key that you gave signed the entries of the index in this receipt: enter log.keys of the service’s svc.json.';
