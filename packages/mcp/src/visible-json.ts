import { showUnseen, showUnseenInJson } from '@svc/protocol';

/**
 * JSON in which every character shows: zero-width, bidirectional and tag characters can carry words that people
 * do not see. As escapes they parse to the same text.
 */
export const visibleJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/**
 * The same for who is handed values instead of text, and may show them to a model as they are: in each string the numbers of such
 * characters stand in their place, for good. Exact is the text.
 */
export const visible = (value: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'string' ? showUnseen(part, (point) => `\\u{${point.toString(16)}}`) : part,
    ),
  ) as Record<string, unknown>;
