/** Returns the path of `openssl`; installs it by apt if it is missing and this is allowed. */
export function ensureOpenssl(): Promise<string>;
