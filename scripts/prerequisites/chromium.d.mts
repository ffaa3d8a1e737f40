/** Returns the path of a Chromium that starts; installs it by apt or npm if there is none. */
export function ensureChromium(source?: string): Promise<string>;
