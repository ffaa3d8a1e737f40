/** No other caller gets it while this process lives. */
export function lastingPort(): Promise<number>;
