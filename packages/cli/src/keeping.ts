// For other programs on the machine.
export { CommandError } from './exit.ts';
export { clockWords } from './clock-words.ts';
export { contact } from './first-contact.ts';
export { etchBlindOnce, horizonWarning, newIdempotencyKey } from './kept-blind.ts';
export { withNewKey } from './new-key.ts';
export { pinsPath, readPin } from './pins.ts';
export { changeProfile, findProfile, keyIsKept, profilesPath, readProfiles } from './profiles.ts';
export { renewSession } from './renew-session.ts';
export { openSession } from './session.ts';
export { useProxies } from './use-proxies.ts';
