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
  /** the answer of drand at `/<hash>/info` */
  info: ChainInfo;
  /** the signature of any round, in hex */
  sign: (round: number) => string;
}
export function localChain(options: { seed?: string; genesis: number; period: number }): LocalChain;
