import { spanText } from '../time-text.ts';

export interface FormProblem {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
  /** seconds */
  retryAfter?: number | undefined;
  /** signing in in a second tab saves the typed text */
  signedOut?: boolean;
}

/** As in `The topic must be one of …`; `missing` says what to do if empty. */
interface FieldName {
  subject: string;
  missing: string;
}

export type FieldNames = Readonly<Record<string, FieldName>>;

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

/** The start of a message that continues a sentence about the field. */
const PREDICATE = /^(is|are|has|have|must|would|stands?|needs?|lies?) /;

function fieldSentence({ subject, missing }: FieldName, message: string): string {
  if (message === 'is required') return sentence(missing);
  const spans = message.replace(/\b(\d+) seconds\b/, (_, seconds) => spanText(Number(seconds) * 1000));
  return sentence(PREDICATE.test(spans) ? `${subject} ${spans}` : `${subject}: ${spans}`);
}

export const wrongWith = (problem: ToldProblem | undefined, name: string): string | undefined =>
  problem?.fields.find(({ path }) => path === name)?.sentence;

export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
