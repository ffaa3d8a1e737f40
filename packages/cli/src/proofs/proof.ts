// What `svc verify` reads of a kind of proof. The other files here have one kind each; list.ts lists them.
import type { Receipt } from '@svc/protocol';
import type { KeptPromise, Verification } from '@svc/verifier';
import type { Evidence, ProvenBlock } from '@svc/verifier/evidence';
import type { Input, InputOf } from '../command.ts';
import type { Context } from '../context.ts';
import type { Chosen, Known, TrustOptions } from '../find-trust.ts';
import type { Shown, VerdictWords } from '../verdict-words.ts';

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

/** An etch whose words, tree and chain were checked. */
export interface VerifiedReceipt extends LoadedReceipt {
  /** the reader, not only the receipt, names the service */
  isNamed: boolean;
  known: Known;
  chosen: Chosen;
  verification: Verification;
  /** of evidence: their hashes decide the result; empty for a wrong proof */
  blocks: ProvenBlock[];
  /** `createdOn` is unsigned */
  promised: (KeptPromise & { createdOn: string | undefined }) | null;
}

export interface CommonOptions extends TrustOptions {
  require?: readonly string[] | undefined;
  offline: boolean;
  policy?: string | undefined;
}

export interface Proof<Table extends Input> {
  /** its check in the JSON */
  field: string;
  title: string;
  /** in `--require`: the check counts only if it is required. Undefined: it always counts */
  need?: string;
  about?: string;
  /** only evidence has it, as this kind of witness */
  witness?: string;
  options: Table;
  /** Returns what is wrong with the options. Until now svc has read only the file. */
  misuse?(options: InputOf<Table> & CommonOptions, evidence: Evidence | null): string | false;
  /** Null: there is nothing to check. */
  check?(
    found: VerifiedReceipt,
    options: InputOf<Table> & CommonOptions,
    context: Context,
  ): Promise<Shown | null>;
  notes?(found: VerifiedReceipt, options: InputOf<Table> & CommonOptions): string[];
  /** the last line, if it is the first required kind */
  words?(found: VerifiedReceipt, check: Shown | null): VerdictWords;
}

export const isRequired = (
  { require = ['chain'] }: { require?: readonly string[] | undefined },
  need: string,
) => require.includes(need);

/** Sealed and erased words are not checked: only their hash existed. */
export const isOfHash = ({ checks: [words] }: Verification): boolean => words.verdict === 'info';
