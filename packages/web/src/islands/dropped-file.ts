import { receiptJson } from '@svc/verifier';
import { whenAsked } from './check-receipt.tsx';

const MOST_BYTES = 4_000_000;

export function onFile(host: HTMLElement, check: (receipt: () => Promise<unknown>) => void): void {
  const zone = host.querySelector<HTMLElement>('[data-drop]')!;
  const input = zone.querySelector<HTMLInputElement>('[type=file]')!;
  const field = zone.querySelector<HTMLInputElement>('[name=q]')!;
  let file: Blob | undefined;
  const checkAgain = (): void => {
    if (file) check(readReceiptFile.bind(null, file));
  };
  const take = (files: ArrayLike<Blob> | null | undefined): void => {
    file = files?.[0] ?? file;
    checkAgain();
  };
  input.addEventListener('change', () => take(input.files));
  // A pasted receipt stays in the browser, as a file does.
  zone.addEventListener('submit', (event) => {
    if (!/^\s*[{<]/.test(field.value)) return;
    event.preventDefault();
    take([new Blob([field.value])]);
  });
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
  whenAsked(host, checkAgain);
}

async function readReceiptFile(file: Blob): Promise<unknown> {
  if (file.size > MOST_BYTES) throw new Error('This is too large to be a receipt.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).trim();
  // This JSON contains no `<`, so no HTML parser is needed.
  const inside = text.startsWith('<') ? (/id="receipt">([^<]*)</.exec(text)?.[1] ?? '') : null;
  try {
    return receiptJson(inside === null ? bytes : new TextEncoder().encode(inside));
  } catch {
    throw new Error('This is not a receipt: it is not JSON.');
  }
}
