/** Answers the program `openssl`, brought by apt when it is not there and we may. */
export function ensureOpenssl(): Promise<string>;
