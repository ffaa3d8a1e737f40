import { Failure } from '../errors/failure.ts';

/** Nested deeper than this nothing of the contract is. */
const MAX_DEPTH = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A JSON body out of its bytes: invalid UTF-8, `__proto__` keys and deep nesting are refused instead of being
 * mended, skipped or walked. An empty body is no body.
 * @throws Failure bad_request
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  if (isTooDeep(text)) throw badBody(`is nested deeper than ${MAX_DEPTH} levels`);
  const hasProto = { found: false };
  let value: unknown;
  try {
    value =
      text.includes('__proto__') || text.includes('\\u')
        ? JSON.parse(text, noteProto(hasProto))
        : JSON.parse(text);
  } catch {
    throw badBody('is not valid JSON');
  }
  if (hasProto.found) throw badBody('holds a `__proto__` key');
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badBody('is not valid UTF-8');
  }
}

function badBody(problem: string): Failure {
  return new Failure('bad_request', `the body ${problem}`, [{ path: '', message: problem }]);
}

function noteProto(seen: { found: boolean }) {
  return (key: string, value: unknown): unknown => {
    if (key === '__proto__') seen.found = true;
    return value;
  };
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 0x5c) index++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
}
