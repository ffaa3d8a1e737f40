/** Of this package. Bundled it has no package file beside it, so it is written here; a test holds both together. */
export const VERSION = '1.0.0';
