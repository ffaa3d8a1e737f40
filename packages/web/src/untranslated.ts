/**
 * For committed words, hashes and keys: a browser's translator would show others in their place. Preact types the
 * attribute as a boolean, but HTML has the word.
 */
export const UNTRANSLATED = { translate: 'no' as never };
