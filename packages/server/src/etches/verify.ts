import { type ChainReader, verifyReceipt } from '@svc/verifier';
import type { Clock } from '../db/clock.ts';
import type { EtchReader, FormerAttestation } from './store.ts';
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
    async verify(id: string, chainReader: ChainReader) {
      const { etch, receipt } = await load(id);
      const trust = {
        chainId: receipt.chain.chain_id,
        contract: chain.contract,
        schemaUid: chain.schemaUid,
        relayers: await chain.relayers(),
      };
      const found = await verifyReceipt(receipt, trust, chainReader);
      return {
        id: etch.id,
        status: etch.status,
        hash: etch.hash,
        canonical_string: etch.canonical_string,
        recomputed_hash: found.recomputed_hash,
        recomputed_hash_matches: found.recomputed_hash_matches,
        reconstructable: found.reconstructable,
        reconstructable_note: found.reconstructable_note,
        checks: found.checks,
        chain: {
          ...found.chain,
          explorerUrl: etch.chain.attscan_url,
          txUrl: etch.chain.tx_url,
          tx_url: etch.chain.tx_url,
          revocation_tx_url: etch.chain.revocation_tx_url,
        },
        etch,
      };
    },
  };
}

export type EtchVerifier = ReturnType<typeof createEtchVerifier>;
