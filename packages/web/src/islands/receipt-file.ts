import { verifyReceipt } from '@svc/verifier';
import { checkReceipt } from './check-receipt.tsx';
import { fillFrom } from './pasted-info.ts';
import { evidenceReader } from './read-evidence.ts';
import { whenAsked } from './when-asked.ts';

const host = document.querySelector<HTMLElement>('[data-verify]')!;
const text = document.getElementById('receipt')!.textContent;
const check = (): void =>
  void checkReceipt(host, {
    receipt: async () => JSON.parse(text) as unknown,
    verify: verifyReceipt,
    evidence: () => ({ readEvidence: evidenceReader() }),
  });
whenAsked(host, check);
host.querySelector<HTMLTextAreaElement>('[data-info]')!.addEventListener('input', ({ currentTarget }) => {
  if (fillFrom(host, (currentTarget as HTMLTextAreaElement).value, JSON.parse(text))) check();
});
check();
