import { showUnseenInJson } from '@svc/protocol';

/**
 * JSON in which every character shows: zero-width, bidirectional and tag characters can carry words that people
 * do not see. As escapes they parse to the same text.
 */
export const visibleJson = (value: unknown): string => showUnseenInJson(JSON.stringify(value, null, 2));
