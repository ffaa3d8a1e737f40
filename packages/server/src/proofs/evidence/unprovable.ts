import { ChainUnavailable } from '../../chain/port.ts';

/** Clients see these: ASCII only, no words of a node. */
export const REASONS = {
  pending: 'the attestation is not final yet',
  made: 'the proof is being made',
  block: 'no endpoint of the service shows its block',
  header: 'the hash of its block cannot be computed from what the endpoint of the service tells of it',
  receipts: 'no endpoint of the service shows the receipts of its block',
  root: 'the receipts that the endpoint of the service tells do not make the receipts root of its block',
  log: 'the receipts of its block do not hold it',
  unreachable: 'no endpoint of the service can be reached',
} as const;

export type Reason = keyof typeof REASONS;

/** A different endpoint's answers may still prove it. */
export class Unprovable extends ChainUnavailable {
  override name = 'Unprovable';
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(REASONS[reason]);
    this.reason = reason;
  }
}
