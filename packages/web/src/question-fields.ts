import { isOutcomeName, isYesNo, MAX_OUTCOMES, parseQuestion } from '@svc/protocol/conventions';
import {
  bracketsOf,
  levelsIn,
  outcomesIn,
  type QuestionFields,
  questionParts,
  writtenQuestion,
} from './question-text.ts';

/** All but a text write brackets at the end of the question. */
export const ANSWER_KINDS = ['yes_no', 'outcomes', 'number', 'text'] as const;

interface QuestionProblem {
  path: keyof QuestionFields;
  message: string;
}

const END = /\[([^[\]]*)\]\s*$/;
const RULE = /(?:^|\s)settles-by:/;

export function questionFieldsOf(question: string): QuestionFields {
  const typed = { question, asks: 'text', outcomes: '', unit: '', levels: '', criteria: '', source: '' };
  const format = parseQuestion(question);
  const asked = format.asks === 'text' ? question : withoutBrackets(question);
  if (asked === '') return typed;
  const { text, criteria, source } = questionParts(asked);
  Object.assign(typed, { question: text, criteria, source });
  if (format.asks === 'text') return criteria === '' && source === '' ? { ...typed, question } : typed;
  if (format.asks === 'number') {
    const levels = END.exec(question)![1]!.split(';')[1]?.trim() ?? '';
    return { ...typed, asks: 'number', unit: format.unit, levels };
  }
  return isYesNo(format.outcomes)
    ? { ...typed, asks: 'yes_no' }
    : { ...typed, asks: 'outcomes', outcomes: format.outcomes.join('\n') };
}

/** Returns the question, or what is wrong in each of its fields. */
export function composeQuestion(typed: QuestionFields): string | QuestionProblem[] {
  const wrong = [...kindProblems(typed), ...partsProblems(typed)];
  if (wrong.length > 0) return wrong;
  const question = typed.question.trimEnd();
  const brackets = bracketsOf(typed);
  if (brackets === '' || question === '' || !END.test(question)) return writtenQuestion(typed);
  return JSON.stringify(parseQuestion(question)) === JSON.stringify(parseQuestion(brackets))
    ? writtenQuestion({ ...typed, question: withoutBrackets(question) })
    : [
        {
          path: 'question',
          message: 'ends in brackets: remove them, because your choice above writes the brackets',
        },
      ];
}

const withoutBrackets = (question: string): string => question.replace(/\s*\[[^[\]]*\]\s*$/, '');

function kindProblems({ asks, outcomes, unit, levels }: QuestionFields): QuestionProblem[] {
  if (asks === 'outcomes') {
    const names = outcomesIn(outcomes);
    const message = namesProblem(names) ?? reasonOf(`[outcomes: ${names.join('|')}]`);
    return message === null ? [] : [{ path: 'outcomes', message }];
  }
  if (asks !== 'number') return [];
  const wrong: QuestionProblem[] = [];
  const of = unit.trim();
  if (of === '') wrong.push({ path: 'unit', message: 'is required' });
  else if (/[;[\]]/.test(of) || reasonOf(`[number: ${of}]`) !== null)
    wrong.push({ path: 'unit', message: 'must have at most 20 characters and none of ; [ ]' });
  const wanted = levelsIn(levels);
  if (wanted !== '' && reasonOf(`[number: m; ${wanted}]`) !== null)
    wrong.push({ path: 'levels', message: 'must be different whole numbers from 1 to 99, such as 5 50 95' });
  return wrong;
}

/** Criteria and source are read back from the text, so that the text must separate them. */
function partsProblems({ question, criteria, source }: QuestionFields): QuestionProblem[] {
  if (criteria.trim() === '' && source.trim() === '') return [];
  const path = criteria.trim() === '' ? 'source' : 'criteria';
  if (RULE.test(question))
    return [{ path, message: 'must be empty, because the rule in the question settles it' }];
  const marked = (text: string): boolean => /(?:^|\s)(?:Criteria|Source): /.test(text);
  const message = 'must not contain “Criteria:” or “Source:”';
  return [
    ...(marked(question) ? [{ path: 'question', message: `${message}: use the fields below` } as const] : []),
    ...(marked(criteria) ? [{ path: 'criteria', message } as const] : []),
    ...(marked(source) ? [{ path: 'source', message } as const] : []),
  ];
}

function namesProblem(names: readonly string[]): string | null {
  if (names.length < 2 || names.length > MAX_OUTCOMES)
    return `must have 2 to ${MAX_OUTCOMES} names, one on each line`;
  const wrong = names.find((name) => !isOutcomeName(name.normalize('NFC')));
  return wrong === undefined
    ? null
    : `has “${wrong}”, which cannot be a name: at most 40 letters, digits, signs, symbols and spaces, and none of = | [ ]`;
}

const reasonOf = (brackets: string): string | null => {
  const format = parseQuestion(brackets);
  return format.asks === 'text' ? (format.reason ?? 'must not have brackets') : null;
};

/** Typed ends that look like a request for a forecast. */
const ALMOST = [
  /\[[^[\]]*\][^\p{L}\p{N}]*$/u,
  /\[\s*(?:yes|no|number)\b[^\]]*$/i,
  /[({（]\s*(?:yes\s*(?:or|\W)\s*no|number\b[^)}]*)\s*[)}）]\W*$/i,
];

export function almostForecastNote(question: string): string | null {
  const format = parseQuestion(question);
  if (format.asks === 'text') {
    const end = ALMOST.map((form) => form.exec(question)?.[0]).find((found) => found !== undefined);
    return end === undefined ? null : `“${end.trim()}” does not ask for a forecast, so answers are free text`;
  }
  if (format.asks === 'number')
    return /[,:]\s*\d/.test(format.unit)
      ? `“${format.unit}” is read as the unit: a semicolon separates the unit from the levels`
      : null;
  const small = format.outcomes.map((name) => name.toLowerCase());
  return isYesNo(small) && !isYesNo(format.outcomes)
    ? `“${format.outcomes.join('|')}” are two outcomes of your own: only [yes|no], in small letters, asks for a chance of yes`
    : null;
}
