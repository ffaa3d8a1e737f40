import { receiptJson } from '@svc/verifier';

const MOST_BYTES = 4_000_000;

/** Opens the place for a file, and tells of each that the reader drops there or chooses. */
export function onFile(host: HTMLElement, take: (read: () => Promise<unknown>) => void): void {
  const zone = host.querySelector<HTMLElement>('[data-drop]')!;
  const input = zone.querySelector('input')!;
  let file: File | undefined;
  const told = (files: FileList | null | undefined): void => {
    file = files?.[0] ?? file;
    if (file) take(readReceiptFile.bind(null, file));
  };
  zone.hidden = false;
  input.addEventListener('change', () => told(input.files));
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    told(event.dataTransfer?.files);
  });
}

/**
 * The receipt in a file: JSON, or a saved receipt page with the JSON inside.
 * @throws {Error} in words for the reader
 */
async function readReceiptFile(file: File): Promise<unknown> {
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
