import { parseWholeReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { CommandError, EXIT } from './exit.ts';

export function readReceipt(value: unknown): Receipt {
  try {
    return parseWholeReceipt(value);
  } catch (error) {
    if (error instanceof ReceiptError)
      throw new CommandError(EXIT.fail, `FAIL: not a valid receipt: ${error.message}`);
    throw error;
  }
}
