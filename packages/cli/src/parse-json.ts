import { textOfFile } from '@svc/verifier';

/** Parses JSON in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it; undefined when it is malformed. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOfFile(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
