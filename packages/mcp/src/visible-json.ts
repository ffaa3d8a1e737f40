import { setImmediate as turn } from 'node:timers/promises';
import { showUnseen, showUnseenInJson } from '@svc/protocol';

/** So many characters are shown before other requests have their turn of the event loop: a few milliseconds. */
const SLICE = 6_144;
/** Of an answer's text and values together, in characters: thirty etches of the longest text, each character by its number. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** A value as text and as values; what cannot be seen shows in both. */
interface Visible {
  text: string;
  values: Record<string, unknown>;
}

/** @throws {TypeError} when the answer is too long */
export async function visible(value: Record<string, unknown>): Promise<Visible> {
  const pace = createPace();
  // The tool's own work was done in the same turn.
  await turn();
  const json = JSON.stringify(value, null, 2);
  const isLong = json.length > SLICE;
  if (isLong) await turn();
  const text = await showLines(json, pace);
  const values = JSON.parse(json) as Record<string, unknown>;
  for (const { holder, key, words } of stringsIn(values)) {
    await pace.before(words);
    holder[key] = pace.count(showUnseen(words, (point) => `\\u{${point.toString(16)}}`));
  }
  // What follows makes it into JSON once more.
  if (isLong) await turn();
  return { text, values };
}

/**
 * JSON in which every character shows: zero-width, bidirectional and tag characters can carry words that people
 * do not see. As escapes they parse to the same text.
 * @throws {TypeError} when it is too long
 */
export const visibleJson = (value: unknown): Promise<string> =>
  showLines(JSON.stringify(value, null, 2), createPace());

/** Line by line: a line feed is never part of a string in JSON, so no character's neighbors are in another line. */
async function showLines(json: string, pace: Pace): Promise<string> {
  const shown: string[] = [];
  for (const line of json.split('\n')) {
    await pace.before(line);
    shown.push(pace.count(showUnseenInJson(line)));
  }
  return shown.join('\n');
}

interface Pace {
  /** waits for a turn of the event loop when a slice is full */
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
