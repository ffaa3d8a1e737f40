import { receiptJson } from '@svc/verifier';

const MOST_BYTES = 4_000_000;

/**
 * The receipt in a file: JSON, or a saved receipt page with the JSON inside.
 * @throws {Error} in words for the reader
 */
export async function readReceiptFile(file: File): Promise<unknown> {
  if (file.size > MOST_BYTES) throw new Error('This file is too large to be a receipt.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).trim();
  // No `<` stands in the JSON of a saved page, so this needs no parser, which would complain of the page's own style.
  const inside = text.startsWith('<') ? (/id="receipt">([^<]*)</.exec(text)?.[1] ?? '') : null;
  try {
    return receiptJson(inside === null ? bytes : new TextEncoder().encode(inside));
  } catch {
    throw new Error('This file is not a receipt: it holds no JSON.');
  }
}
