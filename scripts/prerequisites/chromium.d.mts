/** Installed if there is none. */
export function ensureChromium(source?: string): Promise<string>;
