import type { Check, Evidence, Verdict } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import type { Outcome } from '../judgement.ts';
import { Sign, SIGNS, verdictLine } from './sign.tsx';
import { fullHash, TextNodes } from './values.tsx';

/** Word, shape and border: color is never the only difference. */
const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'Holds',
  fail: 'Fails',
  wait: 'Not known yet',
  info: 'Nothing to check',
};

type ShownCheck = Pick<Check, 'key' | 'title' | 'verdict' | 'badge' | 'detail'> & {
  evidence: readonly Evidence[];
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
                <Sign d={SIGNS[check.verdict]} /> {VERDICT_WORDS[check.verdict]}
                <span class="quiet"> · {check.badge}</span>
              </span>
            </h3>
            <p>
              <TextNodes>{check.detail}</TextNodes>
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
    <code class="exact">
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
} as const satisfies Record<Outcome, keyof typeof SIGNS>;

export const overallLine = (outcome: Outcome, headline: string, cause: string | false, by: string) =>
  verdictLine(outcome, OUTCOME_SIGNS[outcome], [
    <strong>{headline}.</strong>,
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
