/** Returns the path of `redis-server`; installs it by apt if it is missing and this is allowed. */
export function ensureRedis(): Promise<string>;
