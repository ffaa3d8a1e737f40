/** Installed by apt if allowed. */
export function ensureOpenssl(): Promise<string>;
