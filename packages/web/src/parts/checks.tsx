import type { Check, Evidence, Verdict } from '@svc/contract';
import { type EtchParts, parseCanonicalString, type Receipt } from '@svc/protocol';
import { isDevelopmentChain, pathToRoot, type Verification } from '@svc/verifier';
import type { ComponentChildren } from 'preact';
import {
  receiptHeadline,
  notProvenByReceipt,
  type ReceiptOutcome,
  receiptOutcome,
  provenByReceipt,
  type TrustedBy,
} from '../receipt-outcome.ts';
import { ProofPath } from './proof-path.tsx';
import { Sign, SIGNS, verdictLine } from './sign.tsx';
import { HashedWords } from './hashed-words.tsx';
import { atTime, fullHash, lines, TextNodes, withTimes } from './values.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

/** Word, shape and border: color is never the only difference. */
const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'Holds',
  fail: 'Fails',
  wait: 'Not known yet',
  info: 'Nothing to check',
};

type ShownCheck = Pick<Check, 'key' | 'title' | 'verdict' | 'detail'> & {
  evidence: readonly Evidence[];
  /** in place of the verdict's, for a proof that is there and was not checked */
  word?: string;
};

type ChecksProps = { checks: readonly ShownCheck[]; learn?: string | undefined };

/** A saved file needs the full address in `learn`. */
export function Checks({ checks, learn = '/verify/how' }: ChecksProps) {
  return (
    <ol class="checks">
      {checks.map((check) => (
        <li>
          <section class={`check ${check.verdict}`} data-check={check.key} data-verdict={check.verdict}>
            <h3>
              {check.title}
              <span class={`verdict ${check.verdict}`}>
                <Sign d={SIGNS[check.verdict]} /> {check.word ?? VERDICT_WORDS[check.verdict]}
              </span>
            </h3>
            <p>
              {check.detail
                .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
                .map((part, at) => (at % 2 === 1 ? atTime(part, 'seconds') : <TextNodes>{part}</TextNodes>))}
            </p>
            {check.evidence.length > 0 && (
              <details>
                <summary>Values to compare</summary>
                <dl class="evidence">
                  {check.evidence.map((item) => (
                    <div>
                      <dt>{item.label}</dt>
                      <dd>
                        <EvidenceValue item={item} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
            <p class="learn">
              <a href={`${learn}#${check.key}`}>How this check works</a>
            </p>
          </section>
        </li>
      ))}
    </ol>
  );
}

function EvidenceValue({ item: { label, value, copy } }: { item: Evidence }) {
  if (/^(?:0x)?[0-9a-f]{40,}$/i.test(value)) return fullHash(value, copy ? label : undefined);
  return (
    <code class="exact" {...UNTRANSLATED}>
      <TextNodes>{value}</TextNodes>
    </code>
  );
}

const OUTCOME_SIGNS = {
  pass: 'pass',
  fail: 'fail',
  wait: 'wait',
  sealed: 'info',
  retracted: 'info',
  unpinned: 'warn',
} as const satisfies Record<ReceiptOutcome, keyof typeof SIGNS>;

const overallLine = (outcome: ReceiptOutcome, headline: string, cause: string | false, by: string) =>
  verdictLine(outcome, OUTCOME_SIGNS[outcome], [
    <strong>{withTimes(headline)}.</strong>,
    ' ',
    cause,
    ' ',
    <span class="quiet">{by}</span>,
  ]);

export function NotChecked({ children }: { children: ComponentChildren }) {
  return (
    <div class="result none">
      <p class="overall none" data-overall="none">
        <span>
          <strong>Nothing was checked.</strong> {children}
        </span>
      </p>
    </div>
  );
}

/** Announces only the verdict; the script fills it in. */
export const SaidVerdict = () => <p class="visually-hidden" role="status" data-said-verdict=""></p>;

interface VerifiedProps {
  receipt: Receipt;
  found: Verification;
  trustedBy: TrustedBy;
  by: string;
  opens?: string | undefined;
  learn?: string | undefined;
}

/** The content is from the canonical string. If a check fails, only the checks make statements. */
export function Verified({ receipt, found, trustedBy, by, opens, learn }: VerifiedProps) {
  const { inclusion } = receipt;
  const hashed = parseCanonicalString(receipt.canonical_string ?? '');
  const isBlind = /^svc-tlock:v1\|\S+$/.test(hashed?.content ?? '');
  const outcome = receiptOutcome(receipt, found, trustedBy, isBlind);
  return (
    <div class={`result ${outcome}`}>
      {overallLine(
        outcome,
        receiptHeadline(outcome, found, isBlind, opens),
        outcome === 'fail' && causeOf(found),
        by,
      )}
      {outcome !== 'fail' && (
        <Found receipt={receipt} found={found} outcome={outcome} hashed={hashed} isBlind={isBlind} />
      )}
      <Checks checks={found.checks} learn={learn} />
      {inclusion && (
        <figure class="path-figure">
          <ProofPath
            path={pathToRoot(inclusion.tree_version, receipt.author.user_id, receipt.hash, inclusion.proof)}
            proof={inclusion.proof}
            root={inclusion.root}
          />
        </figure>
      )}
      <details>
        <summary>The receipt itself</summary>
        <pre class="receipt" tabindex={0}>
          <code {...UNTRANSLATED}>
            <TextNodes>{JSON.stringify(receipt, null, 2)}</TextNodes>
          </code>
        </pre>
      </details>
    </div>
  );
}

/** The first failed check in one sentence. Every id and hash in it was validated. */
export function causeOf({ checks, revocation, ...found }: Verification): string {
  const { detail } = checks.find(({ verdict }) => verdict === 'fail')!;
  if (found.recomputed_hash && !found.recomputed_hash_matches)
    return 'The words in this file were changed: their hash no longer matches.';
  // If the retraction is wrong, its sentence follows the one about the correct attestation.
  return (detail.includes(revocation.detail) ? revocation.detail : detail).replace(/\. .*/, '.');
}

interface FoundProps {
  receipt: Receipt;
  found: Verification;
  outcome: ReceiptOutcome;
  hashed: EtchParts | null;
  isBlind: boolean;
}

function Found({ receipt, found, outcome, hashed, isBlind }: FoundProps) {
  const proven = provenByReceipt(receipt, found, isBlind);
  return (
    <>
      {hashed && !isBlind && <HashedWords content={hashed.content} />}
      <div class="two">
        {proven.length > 0 && (
          <div>
            <h3>{provenTitle(receipt, outcome)}</h3>
            {lines(proven, outcome === 'unpinned' ? 'not-proven' : 'proven')}
          </div>
        )}
        <div>
          <h3>Not proven</h3>
          {lines(notProvenByReceipt(receipt, found, isBlind, hashed?.createdAt), 'not-proven')}
        </div>
      </div>
    </>
  );
}

function provenTitle({ chain }: Receipt, outcome: ReceiptOutcome): string {
  if (outcome === 'unpinned') return 'Holds if the attester is the right one';
  return isDevelopmentChain({ chainId: chain.chain_id }) ? 'Proven, if you trust this chain' : 'Proven';
}
