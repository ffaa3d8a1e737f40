import { ReceiptError } from '@svc/protocol';

/** A file with more bytes than these is no receipt. */
export const MAX_RECEIPT_BYTES = 1_048_576;

/**
 * The JSON of a receipt's file: UTF-8, with or without a byte order mark (docs/protocol.md#22-json-files). What is
 * read is for `parseReceipt` to judge.
 * @throws {ReceiptError} when it is too large, not UTF-8 or not JSON
 * @example
 * receiptJson(new TextEncoder().encode('{ "status": "sealed" }')); // { status: 'sealed' }
 */
export function receiptJson(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_RECEIPT_BYTES)
    throw new ReceiptError('', `has more than ${MAX_RECEIPT_BYTES} bytes`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ReceiptError('', 'is not JSON in UTF-8');
  }
}
