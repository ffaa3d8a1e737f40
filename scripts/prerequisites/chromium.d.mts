export function ensureChromium(source?: string): Promise<string>;
