/** Answers the path of a Chromium that starts, brought by apt or npm when there is none. */
export function ensureChromium(source?: string): Promise<string>;
