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
export * from './opening.ts';
export * from './timelock.ts';
export { isBlindSeal, MOST_BLIND_BYTES, padBlind, unpadBlind } from './blind.ts';
