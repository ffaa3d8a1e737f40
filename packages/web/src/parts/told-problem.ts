import { spanText } from '../time-text.ts';

/** Why a form was rejected; the typed text stays in it. */
export interface FormProblem {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
  /** seconds until a retry makes sense */
  retryAfter?: number | undefined;
  /** the session ended: signing in again in another tab saves the typed text */
  signedOut?: boolean;
}

/** The name of a field in messages, as in `The topic must be one of …`, and what to do if it is empty. */
interface FieldName {
  subject: string;
  missing: string;
}

/** By the names in the contract, in the order of the page. */
export type FieldNames = Readonly<Record<string, FieldName>>;

/** The problem as the page shows it: one sentence for each field, in their order. */
export interface ToldProblem extends FormProblem {
  fields: readonly { path: string; sentence: string }[];
}

export function told(problem: FormProblem | undefined, names: FieldNames = {}): ToldProblem | undefined {
  if (!problem) return undefined;
  const details = problem.details ?? [];
  const fields = Object.entries(names).flatMap(([path, name]) =>
    details
      .filter((detail) => detail.path === path)
      .map(({ message }) => ({ path, sentence: fieldSentence(name, message) })),
  );
  return { ...problem, fields };
}

/** The start of a message whose subject is the field; other messages are sentences already. */
const PREDICATE = /^(is|are|has|have|must|would|stands?|needs?|lies?) /;

function fieldSentence({ subject, missing }: FieldName, message: string): string {
  if (message === 'is required') return sentence(missing);
  const spans = message.replace(/\b(\d+) seconds\b/, (_, seconds) => spanText(Number(seconds) * 1000));
  return sentence(PREDICATE.test(spans) ? `${subject} ${spans}` : `${subject}: ${spans}`);
}

/** The error of one field, shown next to it too. */
export const wrongWith = (problem: ToldProblem | undefined, name: string): string | undefined =>
  problem?.fields.find(({ path }) => path === name)?.sentence;

export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
