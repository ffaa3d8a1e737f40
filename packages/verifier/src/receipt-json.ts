import { ReceiptError } from '@svc/protocol';

export const MAX_RECEIPT_BYTES = 1_048_576;

/**
 * UTF-8, or UTF-16 with a byte order mark (docs/protocol.md#22-json-files).
 * @throws {TypeError} on other bytes
 * @example
 * textOfFile(Uint8Array.of(0xff, 0xfe, 0x7b, 0)); // '{'
 */
export function textOfFile(bytes: Uint8Array): string {
  const mark = bytes[0]! * 256 + bytes[1]!;
  const encoding = mark === 0xfffe ? '-16le' : mark === 0xfeff ? '-16be' : '-8';
  return new TextDecoder(`utf${encoding}`, { fatal: true }).decode(bytes);
}

/**
 * `parseReceipt` checks the content.
 * @throws {ReceiptError} when the file is too large, not a text, or not JSON
 * @example
 * receiptJson(new TextEncoder().encode('{ "status": "sealed" }')); // { status: 'sealed' }
 */
export function receiptJson(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_RECEIPT_BYTES)
    throw new ReceiptError('', `has more than ${MAX_RECEIPT_BYTES} bytes`);
  try {
    return JSON.parse(textOfFile(bytes));
  } catch {
    throw new ReceiptError('', 'is not JSON in UTF-8 or UTF-16');
  }
}
