/** Answers the program `nginx`. @throws SetupError that says how to help it */
export function ensureNginx(): Promise<string>;
