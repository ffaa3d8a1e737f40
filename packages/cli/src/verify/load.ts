import { OMISSION_FORMAT, RECORD_FORMAT } from '@svc/verifier/account-index';
import { ReceiptError } from '@svc/protocol';
import { type Evidence, EvidenceError, formerEvidence, parseEvidence } from '@svc/verifier/evidence';
import { CommandError, EXIT, parsed, usageError } from '../exit.ts';
import { isEvidence } from '../proofs/chain.ts';
import { refuseMisuse } from '../proofs/list.ts';
import type { LoadedReceipt } from '../proofs/proof.ts';
import { loadReceipt, readReceipt, refuseOtherEtch } from '../load-receipt.ts';
import type { VerifyOptions } from '../verify-options.ts';

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
  const loaded = loadedFrom(value, service, options);
  refuseMisuse(loaded.evidence, options);
  refuseOtherEtch(loaded.receipt, etchId);
  return loaded;
}

/** @param value a receipt or evidence */
export function loadedFrom(value: unknown, service: string | null, options: VerifyOptions): LoadedReceipt {
  const evidence = evidenceIn(value, options);
  const receipt = evidence?.receipt ?? readReceipt(value);
  const { index: indexAnswers } = ((evidence === null ? value : (value as { receipt: unknown }).receipt) ??
    {}) as { index?: unknown };
  const origin = service ?? originOfUrl(receipt._verify_without_etch);
  return { receipt, evidence, service, origin, indexAnswers };
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

export const originOfUrl = (url: string): string | null =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : null;
