import { AttestedTrees, type LogReader, type Trust } from '@svc/verifier';

export interface ChainSide {
  trees: AttestedTrees;
  next: number;
  /** attestations under the schema by untrusted attesters */
  strangers: number;
}

export const emptyChainSide = (first: number): ChainSide => ({
  trees: new AttestedTrees(),
  next: first,
  strangers: 0,
});

export async function readOn(
  side: ChainSide,
  reader: LogReader,
  trust: Trust,
  to: number,
  afterRange: () => void,
): Promise<void> {
  for await (const range of reader.attested(side.next, to)) {
    const trusted = range.logs.filter(({ attester }) => trust.relayers.includes(attester));
    for (const attestation of await reader.attestations(trusted)) side.trees.add(attestation);
    side.strangers += range.logs.length - trusted.length;
    side.next = range.to + 1;
    afterRange();
  }
}
