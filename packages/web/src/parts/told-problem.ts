import { spanText } from '../time-text.ts';

/** Why a form was not taken: what was typed stays in it. */
export interface FormProblem {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
  /** seconds until it makes sense to try again */
  retryAfter?: number | undefined;
  /** the session is over: signing in again, in another tab, saves what was typed */
  signedOut?: boolean;
}

/** How a field is spoken of, as in `The topic must be one of …`, and what to do where it was left empty. */
interface FieldName {
  subject: string;
  missing: string;
}

/** By the names in the contract, in the order in which they stand on the page. */
export type FieldNames = Readonly<Record<string, FieldName>>;

/** The same, as the page tells it: what is wrong with its fields, in their order, each in a sentence of its own. */
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

/** What a message about a field begins with when the field is its subject; any other is a sentence already. */
const PREDICATE = /^(is|are|has|have|must|would|stands?|needs?|lies?) /;

function fieldSentence({ subject, missing }: FieldName, message: string): string {
  if (message === 'is required') return sentence(missing);
  const spans = message.replace(/\b(\d+) seconds\b/, (_, seconds) => spanText(Number(seconds) * 1000));
  return sentence(PREDICATE.test(spans) ? `${subject} ${spans}` : `${subject}: ${spans}`);
}

/** What is wrong with one field, to be said beside it too. */
export const wrongWith = (problem: ToldProblem | undefined, name: string): string | undefined =>
  problem?.fields.find(({ path }) => path === name)?.sentence;

export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
