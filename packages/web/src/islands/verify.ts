import type { Receipt } from '@svc/protocol';
import { type verifyReceipt, verifyReceiptWith } from '@svc/verifier';
import { checkReceipt, type CheckOptions, whenAsked } from './check-receipt.tsx';
import { readReceiptFile } from './receipt-text.ts';

/** On a page of one etch its receipt is checked at once; elsewhere whatever receipt the reader drops. */
for (const host of document.querySelectorAll<HTMLElement>('[data-verify]')) {
  const url = host.dataset['verify'];
  if (url) fromService(host, url);
  else fromFile(host);
}

function fromService(host: HTMLElement, url: string): void {
  const check = (): void => void checkReceipt(host, { receipt: () => load(url), verify });
  whenAsked(host, check);
  check();
}

async function load(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok)
    throw new Error(`This service answers ${response.status} when asked for the receipt: try again.`);
  return response.json();
}

function fromFile(host: HTMLElement): void {
  const zone = host.querySelector<HTMLElement>('[data-drop]')!;
  const input = zone.querySelector('input')!;
  let file: File | undefined;
  const check = (): void => {
    if (file) void checkReceipt(host, { receipt: () => readReceiptFile(file!), verify, verifyEvidence });
  };
  const take = (files: FileList | null | undefined): void => {
    file = files?.[0] ?? file;
    check();
  };
  zone.hidden = false;
  input.addEventListener('change', () => take(input.files));
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    take(event.dataTransfer?.files);
  });
  whenAsked(host, check);
}

/** And what checks evidence only for evidence. */
const verifyEvidence: NonNullable<CheckOptions['verifyEvidence']> = async (...given) =>
  (await import('./evidence.ts')).checkEvidence(...given);

/** Ed25519 comes only for a receipt that is signed. */
async function verify(...[receipt, trust, chain]: Parameters<typeof verifyReceipt>) {
  const signed = (receipt as Partial<Receipt> | null)?.signature;
  const check = signed ? (await import('./signature.ts')).verifySignature : () => false;
  return verifyReceiptWith(check, receipt, trust, chain);
}
