/** Answers the program `redis-server`, brought by apt when it is not there and we may. */
export function ensureRedis(): Promise<string>;
