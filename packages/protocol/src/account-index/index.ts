export * from './account-index.ts';
export * from './account-map.ts';
export * from './answer.ts';
export * from './check.ts';
export * from './entries.ts';
export * from './index-data.ts';
export * from './map-proof.ts';
