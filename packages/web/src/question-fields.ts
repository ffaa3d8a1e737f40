import {
  type AnswerFormat,
  formatLevels,
  isOutcomeName,
  isYesNo,
  MAX_OUTCOMES,
  parseQuestion,
} from '@svc/protocol/conventions';
import { questionText } from './etch-text.ts';

/** All but the first write brackets at the end of the question. */
export const ANSWER_KINDS = ['text', 'yes_no', 'outcomes', 'number'] as const;

export interface QuestionFields {
  question: string;
  asks: string;
  outcomes: string;
  unit: string;
  levels: string;
}

interface QuestionProblem {
  path: 'question' | 'outcomes' | 'unit' | 'levels';
  message: string;
}

const END = /\[([^[\]]*)\]\s*$/;

export function questionFieldsOf(question: string): QuestionFields {
  const typed = { question, asks: 'text', outcomes: '', unit: '', levels: '' };
  const format = parseQuestion(question);
  if (format.asks === 'text') return typed;
  typed.question = questionText(question);
  if (typed.question === question) return typed;
  if (format.asks === 'number') {
    const levels = END.exec(question)![1]!.split(';')[1]?.trim() ?? '';
    return { ...typed, asks: 'number', unit: format.unit, levels };
  }
  return isYesNo(format.outcomes)
    ? { ...typed, asks: 'yes_no' }
    : { ...typed, asks: 'outcomes', outcomes: format.outcomes.join(', ') };
}

export function composeQuestion(typed: QuestionFields): string | QuestionProblem {
  const brackets = bracketsOf(typed);
  if (typeof brackets !== 'string') return brackets;
  const question = typed.question.trimEnd();
  if (brackets === '' || question === '') return typed.question;
  if (!END.test(question)) return `${question} ${brackets}`;
  return JSON.stringify(parseQuestion(question)) === JSON.stringify(parseQuestion(brackets))
    ? question
    : {
        path: 'question',
        message: 'ends in brackets: remove them, because your choice below writes the brackets',
      };
}

function bracketsOf({ asks, outcomes, unit, levels }: QuestionFields): string | QuestionProblem {
  switch (asks) {
    case 'yes_no':
      return '[yes|no]';
    case 'outcomes': {
      const names = listOf(outcomes, /[,\n]/);
      const message = namesProblem(names) ?? reasonOf(`[${names.join('|')}]`);
      return message === null ? `[${names.join('|')}]` : { path: 'outcomes', message };
    }
    case 'number': {
      const of = unit.trim();
      if (of === '') return { path: 'unit', message: 'is required' };
      if (/[;[\]]/.test(of) || reasonOf(`[number: ${of}]`) !== null)
        return { path: 'unit', message: 'must have at most 20 characters and none of ; [ ]' };
      const wanted = listOf(levels, /[\s,%]/).join(' ');
      if (wanted === '') return `[number: ${of}]`;
      const brackets = `[number: ${of}; ${wanted}]`;
      return reasonOf(brackets) === null
        ? brackets
        : { path: 'levels', message: 'must be different whole numbers from 1 to 99, such as 5 50 95' };
    }
    default:
      return '';
  }
}

const listOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function namesProblem(names: readonly string[]): string | null {
  if (names.length < 2 || names.length > MAX_OUTCOMES)
    return `must have 2 to ${MAX_OUTCOMES} names, separated by commas`;
  const wrong = names.find((name) => !isOutcomeName(name.normalize('NFC')));
  return wrong === undefined
    ? null
    : `has “${wrong}”, which cannot be a name: at most 40 letters, digits, signs and symbols, no space and none of = | [ ]`;
}

const reasonOf = (brackets: string): string | null => {
  const format = parseQuestion(brackets);
  return format.asks === 'text' ? (format.reason ?? 'must not have brackets') : null;
};

export function answerFormatText(format: AnswerFormat): string {
  if (format.asks === 'text') return 'free text, not scored';
  if (format.asks === 'number')
    return `a number in ${format.unit} as ${formatLevels(format.levels).replaceAll('q', '').replaceAll(' ', ', ')} % quantiles, scored`;
  if (isYesNo(format.outcomes)) return 'a chance of yes, scored';
  return `a chance of each outcome (${format.outcomes.join(', ')}), scored`;
}

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
