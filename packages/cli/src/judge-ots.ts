import type { Evidence } from '@svc/verifier/evidence';
import type { OtsCheck } from '@svc/timestamp/ots';
import { usageError } from './exit.ts';
import { RPC_PATIENCE_MS } from './find-trust.ts';
import type { Required } from './options.ts';

export interface OtsOptions {
  require?: Required[];
  bitcoinHeader: string[];
  bitcoinRpc?: string;
  offline: boolean;
}

const names = ({ bitcoinHeader, bitcoinRpc }: OtsOptions): boolean =>
  bitcoinHeader.length > 0 || bitcoinRpc !== undefined;

export function refuseUnusedHeaders(evidence: Evidence | null, options: OtsOptions): void {
  if (!names(options)) return;
  if (evidence === null)
    throw usageError(
      '--bitcoin-header and --bitcoin-rpc require an evidence file; make one with svc evidence <etch> --out evidence.json',
    );
  if (options.bitcoinRpc !== undefined && (options.bitcoinHeader.length > 0 || options.offline))
    throw usageError(
      'give --bitcoin-header or --bitcoin-rpc, not both; with --offline only --bitcoin-header',
    );
}

export async function judgeOts(evidence: Evidence, options: OtsOptions): Promise<OtsCheck | null> {
  const asked = options.require?.includes('ots') === true || names(options);
  if (!asked && !evidence.witnesses?.some(({ kind }) => kind === 'ots')) return null;
  const { checkOts, givenHeaders, noHeaders, rpcHeaders } = await import('@svc/timestamp/ots');
  const { bitcoinHeader, bitcoinRpc } = options;
  if (bitcoinRpc !== undefined)
    return checkOts(evidence, rpcHeaders(bitcoinRpc, { timeoutMs: RPC_PATIENCE_MS }));
  return checkOts(evidence, bitcoinHeader.length > 0 ? givenHeaders(bitcoinHeader) : noHeaders);
}
