import { readInput } from './input-file.ts';
import { inputError, reworded, usageError } from './exit.ts';
import type { Evidence } from '@svc/verifier/evidence';
import type { TimestampCheck } from '@svc/timestamp';
import type { Required } from './options.ts';
import type { OtsCheck } from '@svc/timestamp/ots';
import { RPC_PATIENCE_MS } from './find-trust.ts';

export interface TimestampOptions {
  require?: Required[];
  tsaCertificates?: string;
}

export const isRequired = ({ require = ['chain'] }: TimestampOptions, what: Required): boolean =>
  require.includes(what);

export function refuseUnusedTimestamps(evidence: Evidence | null, options: TimestampOptions): void {
  const needsEvidence = options.require?.some((one) => one === 'tsa' || one === 'ots') === true;
  if (evidence !== null || (!needsEvidence && options.tsaCertificates === undefined)) return;
  throw usageError(
    '--require tsa, --require ots and --tsa-certificates require an evidence file; make one with svc evidence <etch> --out evidence.json',
  );
}

export async function judgeTimestamps(
  evidence: Evidence,
  options: TimestampOptions,
): Promise<TimestampCheck | null> {
  const asked = isRequired(options, 'tsa') || options.tsaCertificates !== undefined;
  if (!asked && !evidence.witnesses?.some(({ kind }) => kind === 'rfc3161')) return null;
  // Half a megabyte: loaded only when needed.
  const { checkTimestamps, readCertificates, TimestampError } = await import('@svc/timestamp');
  const { tsaCertificates: path } = options;
  if (path === undefined) return checkTimestamps(evidence, [], Date.now());
  const pem = (await readInput(path)).toString('utf8');
  return reworded(
    () => checkTimestamps(evidence, readCertificates(pem), Date.now()),
    TimestampError,
    (message) => inputError(`${path}: ${message}`),
  );
}

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
