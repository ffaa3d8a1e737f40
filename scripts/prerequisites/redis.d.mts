export function ensureRedis(): Promise<string>;
