import { verifyReceipt } from '@svc/verifier';
import { checkReceipt, whenAsked } from './check-receipt.tsx';
import { readEvidence } from './evidence.ts';

/** The saved receipt page: receipt, or evidence, and verifier are in it. */
const host = document.querySelector<HTMLElement>('[data-verify]')!;
const text = document.getElementById('receipt')!.textContent;
const check = (): void =>
  void checkReceipt(host, {
    receipt: async () => JSON.parse(text) as unknown,
    verify: verifyReceipt,
    readEvidence,
  });
whenAsked(host, check);
check();
