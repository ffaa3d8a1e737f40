import { parseDateTime } from '@svc/protocol';

/** Under the `u` flag the class matches only lone surrogates. */
export const CLEAN_TEXT = '^[^\\u0000\\uD800-\\uDFFF]*$';
/** Not blank. */
export const VISIBLE_TEXT = '^(?=\\s*\\S)[^\\u0000\\uD800-\\uDFFF]*$';
/** Other languages lack `\u`, lookaheads or lone surrogates. */
export const PORTABLE_PATTERNS: Readonly<Record<string, string>> = {
  [CLEAN_TEXT]: '^[^\\x00]*$',
  [VISIBLE_TEXT]: '^[^\\x00]*[^\\s\\x00][^\\x00]*$',
};
export const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
/** Agents: `agent_` and 12 to 64 digits of their key. */
export const USERNAME = '^[a-z0-9_]{3,70}$';
export const CODE = '^[23456789abcdefghjkmnpqrstuvwxyz]{6}$';
/** No user info, and only characters of RFC 3986. */
export const HTTP_URL =
  "^[hH][tT][tT][pP][sS]?://(?:[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9\\-._~:/?#\\[\\]@!$&'()*+,;=%]*)?$";

/** Decoders drop bad digits silently. */
export const hexPattern = (bytes: number): string => `^[0-9a-fA-F]{${bytes * 2}}$`;

const uuid = new RegExp(UUID, 'u');
const httpUrl = new RegExp(HTTP_URL, 'u');

export const isUuid = (text: string): boolean => uuid.test(text);

export const isHttpUrl = (text: string): boolean => httpUrl.test(text);

/** For `ajv.addFormat`: Ajv's own formats accept leap seconds, a space for the `T`, and `urn:uuid:`. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = Object.freeze({
  'date-time': (text: string) => parseDateTime(text) !== null,
  uuid: isUuid,
  'http-url': isHttpUrl,
});
