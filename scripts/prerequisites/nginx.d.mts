/** @throws SetupError */
export function ensureNginx(): Promise<string>;
