import { textOfFile } from '@svc/verifier';

/** UTF-8, or UTF-16 with a byte order mark (PowerShell); undefined when malformed. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOfFile(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
