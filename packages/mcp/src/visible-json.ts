import { setImmediate as turn } from 'node:timers/promises';
import { replaceInvisible, escapeInvisibleInJson } from '@svc/protocol';

/** A few milliseconds; then other requests get a turn. */
const SLICE = 6_144;
/** Thirty etches of the longest text with every character escaped. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

interface Visible {
  text: string;
  values: Record<string, unknown>;
}

/** @throws {TypeError} when the answer is too long */
export async function visible(value: Record<string, unknown>): Promise<Visible> {
  const pace = createPace();
  // The tool used this turn of the event loop.
  await turn();
  const json = JSON.stringify(value, null, 2);
  const isLong = json.length > SLICE;
  if (isLong) await turn();
  const text = await showLines(json, pace);
  const values = JSON.parse(json) as Record<string, unknown>;
  for (const { holder, key, words } of stringsIn(values)) {
    await pace.before(words);
    holder[key] = pace.count(replaceInvisible(words, (point) => `\\u{${point.toString(16)}}`));
  }
  // The transport serializes the values again.
  if (isLong) await turn();
  return { text, values };
}

/**
 * Escapes characters that people do not see, which can contain words for a model. The result parses to the
 * same value.
 * @throws {TypeError} when the answer is too long
 */
export const visibleJson = (value: unknown): Promise<string> =>
  showLines(JSON.stringify(value, null, 2), createPace());

/** A JSON string contains no raw line feed. */
async function showLines(json: string, pace: Pace): Promise<string> {
  const shown: string[] = [];
  for (const line of json.split('\n')) {
    await pace.before(line);
    shown.push(pace.count(escapeInvisibleInJson(line)));
  }
  return shown.join('\n');
}

interface Pace {
  /** yields to the event loop after each time slice */
  before(text: string): Promise<unknown> | undefined;
  /** @throws {TypeError} when the answer is too long */
  count(shown: string): string;
}

function createPace(): Pace {
  let [inSlice, inAll] = [0, 0];
  return {
    before(text) {
      inSlice += text.length;
      if (inSlice <= SLICE) return undefined;
      inSlice = text.length;
      return turn();
    },
    count(shown) {
      inAll += shown.length;
      if (inAll > MOST_CHARACTERS)
        throw new TypeError(
          `the answer is longer than ${MOST_CHARACTERS} characters: ask for fewer entries with limit`,
        );
      return shown;
    },
  };
}

interface Held {
  holder: Record<string, unknown>;
  key: string;
  words: string;
}

function* stringsIn(part: unknown): Generator<Held> {
  if (typeof part !== 'object' || part === null) return;
  const holder = part as Record<string, unknown>;
  for (const [key, one] of Object.entries(holder))
    if (typeof one === 'string') yield { holder, key, words: one };
    else yield* stringsIn(one);
}
