export * from './checkpoint.ts';
export * from './note.ts';
export * from './policy.ts';
export * from './proof.ts';
export * from './tiles.ts';
export * from './tree-proofs.ts';
