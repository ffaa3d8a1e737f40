export type { OpeningCheck } from './check-opening.ts';
export { checkOpening } from './check-opening.ts';
