export * from './bounded.ts';
export * from './json-rpc.ts';
export { LogSpan } from './log-span.ts';
