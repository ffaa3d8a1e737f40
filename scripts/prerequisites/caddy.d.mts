/** @throws SetupError */
export function ensureCaddy(): Promise<string>;
