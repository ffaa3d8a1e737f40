import { createRequire } from 'node:module';

/** The version of the service, as its package names it. */
export const VERSION = (createRequire(import.meta.url)('#package') as { version: string }).version;
