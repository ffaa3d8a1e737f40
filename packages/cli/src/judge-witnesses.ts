import { readInput } from './input-file.ts';
import { inputError, reworded } from './exit.ts';
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

export const namesBitcoin = ({ bitcoinHeader, bitcoinRpc }: OtsOptions): boolean =>
  bitcoinHeader.length > 0 || bitcoinRpc !== undefined;

export async function judgeOts(evidence: Evidence, options: OtsOptions): Promise<OtsCheck | null> {
  const asked = options.require?.includes('ots') === true || namesBitcoin(options);
  if (!asked && !evidence.witnesses?.some(({ kind }) => kind === 'ots')) return null;
  const { checkOts, givenHeaders, noHeaders, rpcHeaders } = await import('@svc/timestamp/ots');
  const { bitcoinHeader, bitcoinRpc } = options;
  if (bitcoinRpc !== undefined)
    return checkOts(evidence, rpcHeaders(bitcoinRpc, { timeoutMs: RPC_PATIENCE_MS }));
  return checkOts(evidence, bitcoinHeader.length > 0 ? givenHeaders(bitcoinHeader) : noHeaders);
}
