export { armor, unarmor } from './age-file.ts';
export { isBeacon } from './beacon.ts';
export {
  DRAND_SCHEME,
  isRound,
  parseChainInfo,
  QUICKNET,
  roundAt,
  roundTime,
  TimelockError,
} from './drand-chain.ts';
export type { DrandChain } from './drand-chain.ts';
export { isOpeningSigned, OPENING_NOTE, OPENING_TAG, openingText, parseOpening } from './opening.ts';
export type { Opening, OpeningParts } from './opening.ts';
export {
  BeaconError,
  openBlind,
  RANDOM_BYTES,
  sealBlind,
  timelockDecrypt,
  timelockEncrypt,
  timelockRound,
} from './timelock.ts';
export { isBlindSeal, MOST_BLIND_BYTES, padBlind, unpadBlind } from './blind.ts';
