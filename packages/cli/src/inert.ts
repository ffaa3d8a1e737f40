import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';

/** Safe for one line of a terminal: escapes control, reordering and invisible characters as `\u001b`. */
export const inert = escapeUnseenInLine;

/** JSON on several lines, with invisible characters escaped. */
export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/** JSON on one line, with invisible characters escaped. */
export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
