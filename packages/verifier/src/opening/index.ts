export type { BlindSealCheck } from './check-blind-seal.ts';
export { checkBlindSeal } from './check-blind-seal.ts';
export type { OpeningCheck } from './check-opening.ts';
export { checkOpening } from './check-opening.ts';
