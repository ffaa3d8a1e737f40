export { createMcpServer } from './server.ts';
export { readSettings } from './settings.ts';
export type { Settings } from './settings.ts';
