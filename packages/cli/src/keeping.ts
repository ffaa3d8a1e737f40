// For other programs on the machine.
export { CommandError } from './exit.ts';
export { clockWords } from './report-error.ts';
export { contact, pinsPath, readPin } from './pins.ts';
export { etchBlindOnce, horizonWarning, newIdempotencyKey } from './kept-blind.ts';
export { changeProfile, findProfile, keyIsKept, profilesPath, readProfiles, withNewKey } from './profiles.ts';
export { openSession, renewSession } from './session.ts';
export { useProxies } from './bounded-fetch.ts';
