// A question in the form is several fields; a challenge stores one text, which people read without a program:
// `Where? Criteria: the vote decides. Source: https://example.org [outcomes: New York | Paris]`.

export interface QuestionFields {
  question: string;
  /** of `ANSWER_KINDS` */
  asks: string;
  /** one on each line */
  outcomes: string;
  unit: string;
  levels: string;
  criteria: string;
  source: string;
}

export interface QuestionParts {
  text: string;
  criteria: string;
  source: string;
}

const PARTS = /^([^]*?\S)(?:\s+Criteria: (\S(?:[^]*?\S)?))?(?:\s+Source: (\S(?:[^]*?\S)?))?\s*$/;

/** @param question without its brackets and its rule */
export function questionParts(question: string): QuestionParts {
  const [, text = question, criteria = '', source = ''] = PARTS.exec(question) ?? [];
  return { text, criteria, source };
}

/** The text that is stored and whose characters count, also while fields are still wrong. */
export function writtenQuestion(typed: QuestionFields): string {
  const brackets = bracketsOf(typed);
  const [criteria, source] = [oneLine(typed.criteria), oneLine(typed.source)];
  if (typed.question.trim() === '' || (brackets === '' && criteria === '' && source === ''))
    return typed.question;
  return [
    typed.question.trimEnd(),
    criteria !== '' && `Criteria: ${criteria}`,
    source !== '' && `Source: ${source}`,
    brackets,
  ]
    .filter(Boolean)
    .join(' ');
}

export function bracketsOf({ asks, outcomes, unit, levels }: QuestionFields): string {
  switch (asks) {
    case 'yes_no':
      return '[yes|no]';
    case 'outcomes': {
      const names = outcomesIn(outcomes);
      const isSpaced = names.some((name) => name.includes(' '));
      return isSpaced ? `[outcomes: ${names.join(' | ')}]` : `[${names.join('|')}]`;
    }
    case 'number': {
      const wanted = levelsIn(levels);
      return `[number: ${unit.trim()}${wanted === '' ? '' : `; ${wanted}`}]`;
    }
    default:
      return '';
  }
}

/** No name has a comma. */
export const outcomesIn = (text: string): string[] => listOf(text, /[,\n]/).map(oneLine);

export const levelsIn = (text: string): string => listOf(text, /[\s,%]/).join(' ');

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const listOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
