/** A test compares it with package.json, which the bundle lacks. */
export const VERSION = '1.0.0';
