import { randomInt } from 'node:crypto';

/** Omits characters that readers confuse. */
export const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
export const LENGTH = 6;

export function makeCode(): string {
  let code = '';
  for (let index = 0; index < LENGTH; index++) code += ALPHABET[randomInt(ALPHABET.length)];
  return code;
}
