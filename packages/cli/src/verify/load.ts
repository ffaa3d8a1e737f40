import { OMISSION_FORMAT, RECORD_FORMAT } from '@svc/verifier/account-index';
import { type Receipt, ReceiptError } from '@svc/protocol';
import { type Evidence, EvidenceError, formerEvidence, parseEvidence } from '@svc/verifier/evidence';
import { CommandError, EXIT, parsed, usageError } from '../exit.ts';
import { isEvidence, namesBitcoin } from '../judge-evidence.ts';
import { loadReceipt, readReceipt, refuseOtherEtch } from '../load-receipt.ts';
import type { VerifyOptions } from '../verify-options.ts';

export interface LoadedReceipt {
  receipt: Receipt;
  evidence: Evidence | null;
  /** where the receipt came from; null for a file */
  service: string | null;
  /** the origin of `service`, else of the service that the receipt names; null if that is no http URL */
  origin: string | null;
  /** of the index of accounts, in the file of `svc receipt --index` */
  indexAnswers: unknown;
}

/** A file of another format than a receipt or evidence. */
export class SavedFile extends CommandError {
  override name = 'SavedFile';
  readonly value: unknown;
  readonly format: string;
  constructor(value: unknown, format: string) {
    super(EXIT.input, 'the file is no receipt: check it with svc verify <file>');
    this.value = value;
    this.format = format;
  }
}

/** @throws {NoSuchEtch} @throws {SavedFile} */
export async function load(target: string, options: VerifyOptions): Promise<LoadedReceipt> {
  const { value, service, etchId } = await loadReceipt(target, options.baseUrl, options.offline);
  const { _format: format } = (value ?? {}) as { _format?: unknown };
  if (format === RECORD_FORMAT || format === OMISSION_FORMAT) throw new SavedFile(value, format);
  const evidence = evidenceIn(value, options);
  refuseUnused(evidence, options);
  const receipt = evidence?.receipt ?? readReceipt(value);
  refuseOtherEtch(receipt, etchId);
  const { index: indexAnswers } = ((evidence === null ? value : (value as { receipt: unknown }).receipt) ??
    {}) as { index?: unknown };
  return { receipt, evidence, service, origin: service ?? originOf(receipt), indexAnswers };
}

function refuseUnused(evidence: Evidence | null, options: VerifyOptions): void {
  const { blockHash, rpc, require = [], tsaCertificates, bitcoinHeader, bitcoinRpc, offline } = options;
  if (evidence === null) {
    const isStamped = require.includes('tsa') || require.includes('ots') || tsaCertificates !== undefined;
    const unused =
      blockHash.length > 0
        ? '--block-hash requires'
        : isStamped
          ? '--require tsa, --require ots and --tsa-certificates require'
          : namesBitcoin(options) && '--bitcoin-header and --bitcoin-rpc require';
    if (unused !== false)
      throw usageError(`${unused} an evidence file; make one with svc evidence <etch> --out evidence.json`);
    return;
  }
  if (blockHash.length > 0 && rpc.length > 0)
    throw usageError('give --block-hash or --rpc, not both: with --block-hash no endpoint is used');
  if (bitcoinRpc !== undefined && (bitcoinHeader.length > 0 || offline))
    throw usageError(
      'give --bitcoin-header or --bitcoin-rpc, not both; with --offline only --bitcoin-header',
    );
}

function evidenceIn(value: unknown, { former = false }: VerifyOptions): Evidence | null {
  const read = (): Evidence[] => {
    const evidence = parseEvidence(value);
    return former ? formerEvidence(evidence) : [evidence];
  };
  const kinds = [EvidenceError, ReceiptError];
  const [evidence] = isEvidence(value) ? parsed(read, kinds, 'FAIL: not valid evidence', EXIT.fail) : [];
  if (evidence === undefined && former)
    throw usageError(
      '--former requires an evidence file of an etch that was first attested on another chain, with its proof; make one with svc evidence <etch> --out evidence.json',
    );
  return evidence ?? null;
}

export function originOf(receipt: Receipt): string | null {
  const url = receipt._verify_without_etch;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : null;
}
