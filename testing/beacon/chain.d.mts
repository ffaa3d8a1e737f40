export interface ChainInfo {
  public_key: string;
  period: number;
  genesis_time: number;
  hash: string;
  groupHash: string;
  schemeID: string;
  metadata: { beaconID: string };
}
export interface LocalChain {
  /** as drand answers `/<hash>/info` */
  info: ChainInfo;
  /** due or not, hex */
  sign: (round: number) => string;
}
export function localChain(options: { seed?: string; genesis: number; period: number }): LocalChain;
