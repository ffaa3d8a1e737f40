/** The version in package.json, which the bundle does not include. A test checks that both agree. */
export const VERSION = '1.0.0';
