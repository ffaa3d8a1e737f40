import { QUICKNET } from '@svc/protocol/timelock';
import type { VNode } from 'preact';

export function Round({ round, chain }: { round: number; chain: string }): VNode {
  return (
    <>
      round {round} of the drand chain {chain === QUICKNET.hash ? 'quicknet' : <code>{chain}</code>}
    </>
  );
}
