import { parseWholeReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { failError } from './exit.ts';

export function readReceipt(value: unknown): Receipt {
  try {
    return parseWholeReceipt(value);
  } catch (error) {
    if (error instanceof ReceiptError) throw failError(`FAIL: not a valid receipt: ${error.message}`);
    throw error;
  }
}
