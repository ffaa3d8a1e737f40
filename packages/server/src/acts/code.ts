import { randomInt } from 'node:crypto';

const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 6;

/**
 * A short code: six random characters that are hard to mistake for each other
 * (docs/specification.md#formats).
 */
export function makeCode(): string {
  let code = '';
  for (let index = 0; index < LENGTH; index++) code += ALPHABET[randomInt(ALPHABET.length)];
  return code;
}
