import { isHex, isUuid } from '../hex.ts';
import { checkedWords, ConventionError, firstLine, partsBehind } from './plain-text.ts';

export const LOG_TAG = 'svc-log:v1';

export interface LogWords {
  kind: 'log';
  /** RFC 6962, in hex */
  root: string;
  lines: number;
  /** etch with the state before */
  prev: string | null;
  note: string;
}

/**
 * docs/conventions.md#append-only-logs
 * @throws {ConventionError} on a malformed root, number of lines or id
 * @example
 * logWords({ root: 'ab'.repeat(32), lines: 3, prev: null }); // `svc-log:v1 root=${'ab'.repeat(32)} lines=3`
 */
export const logWords = ({ root, lines, prev }: Pick<LogWords, 'root' | 'lines' | 'prev'>): string =>
  checkedWords(parseLog, `${LOG_TAG} root=${root} lines=${lines}${prev === null ? '' : ` prev=${prev}`}`);

/**
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * const { lines, prev } = parseLog(`svc-log:v1 root=${'ab'.repeat(32)} lines=3`);
 * [lines, prev]; // [3, null]
 */
export function parseLog(content: string): LogWords {
  const { line, rest: note } = firstLine(content);
  const [first, second, third, ...more] = partsBehind(LOG_TAG, line);
  const root = /^root=(.*)$/.exec(first ?? '')?.[1];
  const lines = /^lines=(0|[1-9]\d{0,14})$/.exec(second ?? '')?.[1];
  const prev = third === undefined ? null : /^prev=(.*)$/.exec(third)?.[1];
  if (!isHex(root, 32) || lines === undefined || more.length > 0)
    throw new ConventionError(
      `write root=<64 hex digits> lines=<number> after ${LOG_TAG}, then optionally prev=<etch id>`,
    );
  if (prev !== null && !isUuid(prev))
    throw new ConventionError('prev= takes the id of the etch with the earlier state, in lower case');
  return { kind: 'log', root, lines: Number(lines), prev, note };
}
