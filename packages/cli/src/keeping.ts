// For other programs on the machine.
export { CommandError } from './exit.ts';
export { clockWords } from './report-error.ts';
export { contact } from './pins.ts';
export { etchBlindOnce, horizonWarning, newIdempotencyKey } from './kept-blind.ts';
export { withNewKey } from './profiles.ts';
export { pinsPath, readPin } from './pins.ts';
export { changeProfile, findProfile, keyIsKept, profilesPath, readProfiles } from './profiles.ts';
export { renewSession } from './session.ts';
export { openSession } from './session.ts';
export { useProxies } from './bounded-fetch.ts';
