import { verifyReceipt } from '@svc/verifier';
import { checkReceipt, whenAsked } from './check-receipt.tsx';

/** The saved receipt page: receipt and verifier are both in it. */
const host = document.querySelector<HTMLElement>('[data-verify]')!;
const text = document.getElementById('receipt')!.textContent;
const check = (): void =>
  void checkReceipt(host, { receipt: async () => JSON.parse(text) as unknown, verify: verifyReceipt });
whenAsked(host, check);
check();
