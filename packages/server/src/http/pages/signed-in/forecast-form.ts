// Composes the words of a forecast, a plan or a list of files from form fields, and takes words apart again.
import {
  ConventionError,
  FILES_TAG,
  FORECAST_TAG,
  forecastWords,
  formatProbability,
  isOutcomeName,
  MAX_OUTCOMES,
  parseNumber,
  parseProbability,
  readSections,
  readWords,
  SECTIONS,
  sectionWords,
} from '@svc/protocol/conventions';
import {
  type EtchDraft,
  forecastFields,
  type ForecastPart,
  PREREGISTRATION,
  sectionField,
} from '@svc/web/parts/etch-draft';
import type { Detail } from '../../../platform/failure.ts';
import type { FormFields } from '../form.ts';
import { plainNumber } from './plain-number.ts';

/** 100 % in millionths. */
const WHOLE = 1_000_000;
const ONE_PERCENT = WHOLE / 100;

export function partsOf(form: FormFields): ForecastPart[] {
  const parts: ForecastPart[] = [];
  for (let at = 0; at <= MAX_OUTCOMES; at++) {
    const [name, value] = [form[`forecast_name_${at}`], form[`forecast_${at}`]];
    if (name !== undefined || value !== undefined)
      parts.push({ name: (name ?? '').trim(), value: (value ?? '').trim() });
  }
  return parts;
}

/** The draft keeps the words and the fields as typed. */
function composeForecast(
  { content, parts, forecast, challenge_id }: EtchDraft,
  question: string | undefined,
): { content: string; wrong: readonly Detail[] } {
  const wrong: Detail[] = [];
  const inField = <Value>(path: string, read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConventionError)) throw error;
      wrong.push({ path, message: error.message });
      return undefined;
    }
  };
  const typed = forecastFields({ parts, challenge_id }, question).flatMap((field, at) =>
    field.value === '' && (field.known !== null || field.name === '')
      ? []
      : [inField(`forecast_${at}`, () => pairOf(field))],
  );
  const line = forecast.replace(/\s+%/g, '%').split(' ');
  const further = line
    .filter((pair) => pair !== '')
    .map((pair) => inField('forecast_line', () => pairIn(pair)));
  const pairs = [...typed, ...further].filter((pair) => pair !== undefined);
  // The reasons are optional, so a wrong forecast is the only error with blank words.
  if (wrong.length > 0) return { content: content.trim() === '' ? FORECAST_TAG : content, wrong };
  if (pairs.length === 0) return { content, wrong };
  const words = inField('forecast', () => {
    if (content.startsWith(FORECAST_TAG))
      throw new ConventionError('is on the first line of your words already: leave one of them');
    return forecastWords(pairs, content.trim() === '' ? '' : content);
  });
  return { content: words ?? content, wrong };
}

function takeForecast(draft: EtchDraft): boolean {
  const { content } = draft;
  const words = readWords(content);
  if (words.kind !== 'forecast') return false;
  const pairs = content
    .split('\n', 1)[0]!
    .split(' ')
    .filter((pair) => pair !== '')
    .slice(1);
  if (forecastWords(pairs, words.reasoning) !== content) return false;
  const parts = pairs.map((pair): ForecastPart => {
    const { name, value } = split(pair);
    return { name, value: isQuantile(name) ? value : `${parseProbability(value) / ONE_PERCENT} %` };
  });
  Object.assign(draft, { content: words.reasoning, parts });
  return true;
}

const isQuantile = (name: string): boolean => /^q[1-9]\d?$/.test(name);

const split = (pair: string): ForecastPart => {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1) };
};

function pairIn(pair: string): string {
  const { name, value } = split(pair);
  if (name === '') return pair;
  return `${name}=${isQuantile(name) ? numberIn(value) : probabilityIn(value)}`;
}

function pairOf({ name, value }: ForecastPart): string {
  if (name === '') throw new ConventionError('has a probability and no name: name the outcome');
  if (isQuantile(name)) return `${name}=${numberIn(value)}`;
  if (!isOutcomeName(name))
    throw new ConventionError(
      'has an invalid name: use at most 40 letters, digits, signs and symbols, no space and none of = | [ ] ,',
    );
  if (value === '') throw new ConventionError('has a name and no probability: give one, or 0');
  return `${name}=${probabilityIn(value)}`;
}

/** @throws ConventionError */
function numberIn(text: string): string {
  const number = plainNumber(text);
  parseNumber(number);
  return number;
}

/**
 * Returns the convention's decimal for a typed probability: 72, 72 %, 72% and 0.72 are equal, and a number above 1
 * is a percentage.
 * A lone 1 is rejected because it could mean one percent or certain and cannot be corrected later; 1.0 is certain.
 * @throws ConventionError
 */
function probabilityIn(text: string): string {
  const [, typed = '', sign] = /^(.*?)\s*(%?)$/s.exec(text) ?? [];
  const number = plainNumber(typed);
  if (number === '1' && sign === '')
    throw new ConventionError('1 has two meanings: write 1% for one percent, or 100% for certain');
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(number) ?? [];
  const isPercent = sign === '%' || Number(whole) > 1 || (whole === '1' && /[1-9]/.test(decimals));
  const exact = isPercent ? 4 : 6;
  const millionths =
    Number(whole) * (isPercent ? ONE_PERCENT : WHOLE) + Number(decimals.slice(0, exact).padEnd(exact, '0'));
  if (whole === undefined || millionths > WHOLE || /[1-9]/.test(decimals.slice(exact)))
    throw new ConventionError(
      `${text} is not a probability: write a percentage from 0 to 100 with at most four decimals, such as 72 %, or a decimal from 0 to 1, such as 0.72`,
    );
  return formatProbability(millionths);
}

interface Composed {
  content: string;
  wrong: readonly Detail[];
}

/** The draft keeps the words and the fields as typed. */
export function composeWords(draft: EtchDraft, question: string | undefined): Composed {
  switch (draft.kind) {
    case 'text':
      return { content: draft.content, wrong: [] };
    case 'forecast':
      return required('forecast', FORECAST_TAG, composeForecast(draft, question));
    case 'files':
      return required('files', FILES_TAG, composeFiles(draft));
    case PREREGISTRATION:
      return composeSections(draft);
    default:
      return draft.files ? composeFiles(draft) : composeForecast(draft, question);
  }
}

function composeSections({ content, sections = {} }: EtchDraft): Composed {
  const given = content === '' ? sections : (readSections(content) ?? {});
  const missing = SECTIONS.filter((name) => given[name] === undefined);
  return {
    content: content === '' ? sectionWords(sections) : content,
    wrong: missing.map((name) => ({ path: sectionField(name), message: 'is required' })),
  };
}

function required(path: string, tag: string, composed: Composed): Composed {
  if (composed.wrong.length > 0 || composed.content.startsWith(tag)) return composed;
  return { ...composed, wrong: [{ path, message: 'is required' }] };
}

function composeFiles({ content, files = '' }: EtchDraft): Composed {
  if (files === '' || content.startsWith(files)) return { content, wrong: [] };
  if (content.startsWith(FILES_TAG))
    return { content, wrong: [{ path: 'files', message: 'are in your words already: leave one of them' }] };
  return { content: content.trim() === '' ? files : `${files}\n${content}`, wrong: [] };
}

export function takeApart(draft: EtchDraft): void {
  const { files = '', content } = draft;
  const sections = draft.kind === PREREGISTRATION ? readSections(content) : null;
  if (sections) Object.assign(draft, { sections, content: '' });
  else if (files !== '' && content.startsWith(files))
    draft.content = content.slice(files.length).replace(/^\n/, '');
  else if (takeForecast(draft) && draft.kind) draft.kind = 'forecast';
}
