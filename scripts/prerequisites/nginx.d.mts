/** Returns the path of `nginx`. @throws SetupError that says what to do */
export function ensureNginx(): Promise<string>;
