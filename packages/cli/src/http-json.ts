import { CommandError, EXIT } from './exit.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

export interface JsonAnswer {
  status: number;
  value: unknown;
  /** where redirects led */
  url: string;
}

/** @throws {CommandError} when there is no answer, or one that is too long or no JSON */
export async function getJson(url: string): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += (chunk as Uint8Array).length;
      if (length > MAX_BYTES) throw new CommandError(EXIT.input, `${url} answers more than a receipt can be`);
      chunks.push(chunk);
    }
    const value: unknown = parseJson(Buffer.concat(chunks));
    if (value === undefined)
      throw new CommandError(EXIT.input, `${url} answers no JSON (status ${response.status})`);
    return { status: response.status, value, url: response.url };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(EXIT.input, `${url} cannot be reached`);
  }
}

/** Undefined when the bytes are no JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
