import type { Receipt } from '@svc/protocol';
import type { PromiseCheck, Verification } from '@svc/verifier';
import { inert, inertJson } from './inert.ts';
import type { Chosen } from './choose-trust.ts';

export interface Report {
  receipt: Receipt;
  verification: Verification;
  /** null when there was no promise to check */
  promise: PromiseCheck | null;
  chosen: Chosen;
  notes: string[];
  result: 'pass' | 'fail' | 'wait';
}

const RESULTS = {
  pass: 'PASS: the receipt holds.',
  fail: 'FAIL: the receipt does not hold.',
  wait: 'WAIT: not everything can be known now; nothing speaks against the receipt.',
};

/** The report in plain words. Every line is one line, whatever the texts of others hold. */
export function printReport({ receipt, verification, promise, notes, result }: Report): string {
  const lines = [`Receipt of etch ${receipt.etch_id} by ${receipt.author.username} (${receipt.status})`, ''];
  for (const { title, verdict, badge, detail, evidence } of verification.checks) {
    lines.push(`${verdict.toUpperCase()}  ${title}: ${badge}`, `      ${detail}`);
    for (const { label, value } of evidence) lines.push(`      ${label}: ${value}`);
    lines.push('');
  }
  if (promise !== null) lines.push(...promiseLines(promise), '');
  lines.push(...notes.map((text) => `INFO  ${text}`), RESULTS[result]);
  return `${lines.map(inert).join('\n')}\n`;
}

function promiseLines({ verdict, badge, detail, evidence }: PromiseCheck): string[] {
  const shown = evidence.map(({ label, value }) => `      ${label}: ${value}`);
  return [`${verdict.toUpperCase()}  The promise: ${badge}`, `      ${detail}`, ...shown];
}

const PROMISES = { pass: 'PASS', fail: 'FAIL: the promise was broken, or never given.', wait: 'WAIT' };

/** A promise alone, when there is no etch to show beside it. */
export function printPromise(report: {
  check: PromiseCheck;
  notes: string[];
  result: Report['result'];
  json: boolean;
}): string {
  const { check, notes, result, json } = report;
  if (json) return `${inertJson({ result, promise: check, notes })}\n`;
  const lines = [...promiseLines(check), '', ...notes.map((text) => `INFO  ${text}`), PROMISES[result]];
  return `${lines.map(inert).join('\n')}\n`;
}

/** The report as JSON. */
export function printJson({ receipt, verification, promise, chosen, notes, result }: Report): string {
  const { trust, sources } = chosen;
  const report = {
    result,
    etch_id: receipt.etch_id,
    status: receipt.status,
    hash: receipt.hash,
    ...verification,
    ...(promise === null ? {} : { promise }),
    trust: {
      chain_id: trust.chainId,
      attestation_contract: trust.contract,
      schema_uid: trust.schemaUid,
      relayers: trust.relayers,
      taken_from: {
        chain_id: sources.chainId,
        attestation_contract: sources.contract,
        schema_uid: sources.schemaUid,
        relayers: sources.relayers,
      },
    },
    notes,
  };
  return `${inertJson(report)}\n`;
}
