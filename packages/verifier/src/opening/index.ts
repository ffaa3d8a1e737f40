export * from './check-blind-seal.ts';
export * from './check-opening.ts';
