// For other programs on the machine.
export { clockWords } from './report-error.ts';
export { pinsPath, readPin } from './pins.ts';
export { etchBlindOnce, horizonWarning, newIdempotencyKey } from './etch-blind-once.ts';
export { makeAccount } from './make-account.ts';
export { profilesPath } from './profiles.ts';
export { openSession, renewSession } from './session.ts';
export { useProxies } from './bounded-fetch.ts';
export { guardedFetch } from './public-fetch.ts';
