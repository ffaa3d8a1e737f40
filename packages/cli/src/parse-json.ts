import { textOfFile } from '@svc/verifier';

/** The JSON of a file in UTF-8, or in UTF-16 with a byte order mark as PowerShell writes it; undefined when it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOfFile(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
