/** The set-up of tests of anchoring. */
export { spendNonce } from '../chain/chain-faults.ts';
export { once } from '../database/once.ts';
export { remember } from '../database/older.ts';
export { useDatabase, withDatabase } from '../database/test-database.ts';
export { eventually } from '../wait.ts';
export { drain, expireLease, killAt } from './drive.ts';
export { makeEtches, retract } from './etches.ts';
export { useAnchoring, withChanges } from './ground.ts';
