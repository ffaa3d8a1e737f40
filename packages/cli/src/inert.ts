import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';

/**
 * Makes an untrusted text safe for one line of a terminal: characters that could repaint the screen, forge a line, reorder text or hide are
 * escaped as `\u001b`.
 */
export const inert = escapeUnseenInLine;

/** The same for JSON, whose line breaks stay. */
export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/** The same in one line. */
export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
