// Verifies an etch of this service with the public verifier, as anyone can.
import { type ChainReader, verifyReceipt } from '@svc/verifier';
import type { Clock } from '../db/clock.ts';
import type { EtchReader, FormerAttestation, FormerChain } from './store.ts';
import { makeFormerReceipts, makeReceipt } from './receipt.ts';
import { etchView, type ViewContext } from './view.ts';

/** A verifier must trust these values. */
export interface AnchoringChain {
  name: string;
  embedded: boolean;
  contract: `0x${string}`;
  schemaUid: `0x${string}`;
  relayer: `0x${string}`;
  publicRpcUrl: string;
  relayers(): Promise<string[]>;
  chainId(): Promise<number>;
  /** that the service left, the first one first */
  former(): Promise<readonly FormerChain[]>;
}

export interface VerifyDependencies {
  reader: EtchReader;
  clock: Clock;
  view: ViewContext;
  chain: AnchoringChain;
  formerOf: (id: string) => Promise<readonly FormerAttestation[]>;
}

/** Uses the verifier that everyone can run. */
export function createEtchVerifier({ reader, clock, view, chain, formerOf }: VerifyDependencies) {
  const load = async (id: string) => {
    const [row, chainId, attested] = await Promise.all([reader.get(id), chain.chainId(), formerOf(id)]);
    const now = clock.now();
    const former = makeFormerReceipts(row, now, view, attested);
    const receipt = makeReceipt(row, now, view, { ...chain, chainId }, former);
    return { etch: etchView(row, now, view), receipt, former };
  };
  return {
    receipt: async (id: string) => (await load(id)).receipt,
    /** `former`: receipts for chains that the service left. */
    shown: load,
    async verify(wanted: string, chainReader: ChainReader) {
      const { etch, receipt } = await load(wanted);
      const trust = {
        chainId: receipt.chain.chain_id,
        contract: chain.contract,
        schemaUid: chain.schemaUid,
        relayers: await chain.relayers(),
      };
      const {
        checks,
        chain: seen,
        revocation: _,
        ...hashes
      } = await verifyReceipt(receipt, trust, chainReader);
      const { id, status, hash, canonical_string } = etch;
      const { attscan_url: explorerUrl, tx_url, revocation_tx_url } = etch.chain;
      const onChain = { ...seen, explorerUrl, txUrl: tx_url, tx_url, revocation_tx_url };
      return { id, status, hash, canonical_string, ...hashes, checks, chain: onChain, etch };
    },
  };
}

export type EtchVerifier = ReturnType<typeof createEtchVerifier>;
