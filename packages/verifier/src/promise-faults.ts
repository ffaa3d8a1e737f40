import {
  hashDescription,
  isDescriptionTakenDown,
  type PromiseFields,
  promiseWords,
  type PublicFields,
} from '@svc/protocol';
import type { CheckedValue } from './check.ts';

/** Skips a description that was taken down. */
export function fieldDifferences(promised: PromiseFields, shown: PublicFields): string[] {
  const hash = hashDescription(shown.description);
  const named = (value: string | null): string => value ?? 'none';
  const isSame = hash === promised.descriptionHash || isDescriptionTakenDown(shown.description);
  return [
    ...(isSame ? [] : [`the SHA-256 of its description is ${hash}, not ${promised.descriptionHash}`]),
    ...FIELDS.filter(([, field]) => shown[field] !== promised[field]).map(
      ([name, field]) => `its ${name} is ${named(shown[field])}, not ${named(promised[field])}`,
    ),
  ];
}

const FIELDS = [
  ['topic', 'topic'],
  ['mode', 'mode'],
  ['reveal time', 'revealAt'],
  ['challenge', 'challengeId'],
] as const;

/** A check of a promise: the verdict of each result. */
export const PROMISE_VERDICTS = {
  kept: 'pass',
  due: 'wait',
  late: 'fail',
  broken: 'fail',
  edited: 'fail',
  'other-content': 'fail',
  forged: 'fail',
  misdated: 'fail',
  'unknown-key': 'wait',
  'other-etch': 'wait',
  elsewhere: 'wait',
  unread: 'wait',
} as const;

export interface Outcome {
  badge: keyof typeof PROMISE_VERDICTS;
  detail: string;
  more?: CheckedValue[];
}

/**
 * A broken promise needs a nonce and a content that together make the promised words.
 * @param revealed null while hidden and after a retraction
 */
export function contentFault(
  { words }: PromiseFields,
  { nonce, content }: { nonce: string | undefined; content: string | undefined },
  revealed: string | null,
): Outcome | null {
  const unread = (detail: string): Outcome => ({ badge: 'unread', detail });
  if (nonce === undefined)
    return content === undefined
      ? null
      : unread('The promise has no nonce here: without it the content shows nothing.');
  if (content !== undefined && promiseWords(nonce, content) !== words)
    return unread('Nonce and content do not make the promised words: they do not show what was accepted.');
  if (revealed === null || promiseWords(nonce, revealed) === words) return null;
  if (content === undefined)
    return unread(
      'The revealed content does not make the promised words with this nonce. Give the content that was sent: it shows which of the two is wrong.',
    );
  const detail =
    'The revealed content is not the accepted content: only the accepted content makes the promised words.';
  return { badge: 'other-content', detail };
}
