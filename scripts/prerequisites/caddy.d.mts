export function ensureCaddy(): Promise<string>;
