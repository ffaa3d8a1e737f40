export function measureSlowness(): Promise<number>;
