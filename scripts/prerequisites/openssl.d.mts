export function ensureOpenssl(): Promise<string>;
