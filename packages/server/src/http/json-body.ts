import { scan } from 'secure-json-parse';
import { Failure } from '../platform/failure.ts';

/** No request schema nests deeper than this. */
const MAX_DEPTH = 32;
const MAX_VALUES = 1_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Rejects invalid UTF-8, `__proto__` keys, deep nesting and thousands of values. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = orRefuse('is not valid UTF-8', () => decoder.decode(bytes));
  const { depth, values } = measure(text);
  if (depth > MAX_DEPTH) throw badBody(`is nested deeper than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES) throw badBody(`holds more than ${MAX_VALUES} values`);
  const value = orRefuse('is not valid JSON', () => JSON.parse(text) as unknown);
  if (typeof value === 'object' && value !== null)
    orRefuse('holds a `__proto__` key', () => void scan(value, { constructorAction: 'ignore' }));
  return value;
}

function orRefuse<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw badBody(problem);
  }
}

function badBody(problem: string): Failure {
  return new Failure('bad_request', `the body ${problem}`, [{ path: '', message: problem }]);
}

function measure(text: string): { depth: number; values: number } {
  let [depth, deepest, values] = [0, 0, 1];
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 0x5c) index++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x2c) values++;
    else if (char === 0x7b || char === 0x5b) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === 0x7d || char === 0x5d) depth--;
    if (deepest > MAX_DEPTH || values > MAX_VALUES) break;
  }
  return { depth: deepest, values };
}
