import { escapeUnseenInLine, showUnseenInJson } from '@svc/protocol';

/**
 * A text of someone else's for one line of a terminal: what could repaint it, forge a line, reorder what is read or hide
 * in it is shown as `\u001b`.
 */
export const inert = escapeUnseenInLine;

/** JSON whose strings hold nothing of that kind either; its own line ends stay. */
export const inertJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));

/** The same in one line. */
export const inertJsonLine = (value: unknown): string => showUnseenInJson(JSON.stringify(value));
