import type { Receipt } from '@svc/protocol';
import { type verifyReceipt, verifyReceiptWith } from '@svc/verifier';
import { checkReceipt, whenAsked } from './check-receipt.tsx';

for (const host of document.querySelectorAll<HTMLElement>('[data-verify]')) {
  const url = host.dataset['verify'];
  if (url) fromService(host, url);
  else void fromFile(host);
}

function fromService(host: HTMLElement, url: string): void {
  const check = (): void => void checkReceipt(host, { receipt: () => load(url), verify });
  whenAsked(host, check);
  check();
}

async function load(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The receipt cannot be read: status ${response.status}.`);
  return response.json();
}

async function fromFile(host: HTMLElement): Promise<void> {
  const { onFile } = await import('./dropped-file.ts');
  onFile(
    host,
    (receipt) =>
      void checkReceipt(host, {
        receipt,
        verify,
        evidence: () => import('./evidence.ts'),
        index: () => import('./read-index.ts'),
      }),
  );
}

/** Loads Ed25519 only for a signed receipt. */
async function verify(...[receipt, trust, chain]: Parameters<typeof verifyReceipt>) {
  const signed = (receipt as Partial<Receipt> | null)?.signature;
  const check = signed ? (await import('./signature.ts')).verifySignature : () => false;
  return verifyReceiptWith(check, receipt, trust, chain);
}
