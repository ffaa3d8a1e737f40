import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';

/** Escapes control, reordering and invisible characters as `\u001b`, for one line of a terminal. */
export const inert = escapeUnseenInLine;

export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
