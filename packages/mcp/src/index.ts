export { answerMcp, lacksAccount } from './http.ts';
export type { McpAnswer, McpRequest } from './http.ts';
export { createMcpServer } from './server.ts';
export { readSettings, readToolsets } from './settings.ts';
export type { Settings } from './settings.ts';
