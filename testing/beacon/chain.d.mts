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
  info: ChainInfo;
  sign: (round: number) => string;
}
export function localChain(options: { seed?: string; genesis: number; period: number }): LocalChain;
