import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';

/** Safe for one line of a terminal: escapes control, reordering and invisible characters as `\u001b`. */
export const inert = escapeUnseenInLine;

/** Keeps JSON's line breaks. */
export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/** In one line. */
export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
