const MOST_BYTES = 4_000_000;

/**
 * The receipt in a file: JSON, or a saved receipt page with the JSON inside.
 * @throws {Error} in words for the reader
 */
export async function readReceiptFile(file: File): Promise<unknown> {
  if (file.size > MOST_BYTES) throw new Error('This file is too large to be a receipt.');
  const text = (await file.text()).trim();
  const json = text.startsWith('<')
    ? new DOMParser().parseFromString(text, 'text/html').getElementById('receipt')?.textContent
    : text;
  try {
    return JSON.parse(json ?? '');
  } catch {
    throw new Error('This file is not a receipt: it holds no JSON.');
  }
}
