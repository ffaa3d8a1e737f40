/** Installed by apt if allowed. */
export function ensureRedis(): Promise<string>;
