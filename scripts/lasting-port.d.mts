/** Returns a port that no other caller of this function gets while this process lives. */
export function lastingPort(): Promise<number>;
