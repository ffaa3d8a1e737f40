// Composes the words of a forecast, a plan or a list of files from form fields, and takes words apart again.
import {
  beginsAsForecast,
  ConventionError,
  FILES_TAG,
  FORECAST_TAG,
  forecastPairs,
  forecastWords,
  formatProbability,
  isOutcomeName,
  isYesNo,
  MAX_OUTCOMES,
  parseNumber,
  parseProbability,
  readSections,
  readWords,
  SECTIONS,
  sectionWords,
} from '@svc/protocol/conventions';
import {
  askedBy,
  type EtchDraft,
  forecastFields,
  type ForecastPart,
  PREREGISTRATION,
  sectionField,
} from '@svc/web/parts/etch-draft';
import type { Detail } from '../../../platform/failure.ts';
import type { FormFields } from '../form.ts';
import { percentText, readChance, readPercent, sumText, WHOLE } from '@svc/web/chance';
import { unitOf } from '@svc/web/etch-text';
import { plainNumber } from '@svc/web/plain-number';

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
  const fields = forecastFields({ parts, challenge_id }, question);
  const isNumber = askedBy(question)?.asks === 'number' && fields.some(({ value }) => value !== '');
  const typed = fields.flatMap((field, at) => {
    if (field.value !== '' || (field.known === null && field.name !== ''))
      return [inField(`forecast_${at}`, () => pairOf(field))];
    if (isNumber && field.known !== null) wrong.push({ path: `forecast_${at}`, message: 'is required' });
    return [];
  });
  const further = forecastPairs(forecast.replace(/\s+%/g, '%')).map((pair) =>
    inField('forecast_line', () => pairIn(pair)),
  );
  const pairs = [...typed, ...further].filter((pair) => pair !== undefined);
  const isSummed = wrong.length === 0 && pairs.length > 0;
  const fault = orderFault(pairs, fields, unitOf(question ?? '')) ?? (isSummed ? sumFault(pairs) : undefined);
  if (fault) wrong.push(fault);
  // The reasons are optional, so a wrong forecast is the only error with blank words.
  if (wrong.length > 0) return { content: content.trim() === '' ? FORECAST_TAG : content, wrong };
  if (pairs.length === 0) return { content, wrong };
  const words = inField('forecast', () => {
    if (beginsAsForecast(content))
      throw new ConventionError('are on the first line of your words already: leave one of them');
    return forecastWords(pairs, content.trim() === '' ? '' : content);
  });
  return { content: words ?? content, wrong };
}

/** In percent, where the convention's own message has decimals. */
function sumFault(pairs: readonly string[]): Detail | undefined {
  if (pairs.length > MAX_OUTCOMES) return undefined;
  const outcomes = pairs.map(split).filter(({ name }) => isOutcomeName(name));
  if (outcomes.length < pairs.length || (outcomes.length === 1 && outcomes[0]!.name === 'yes'))
    return undefined;
  const sum = outcomes.reduce((total, { value }) => total + parseProbability(value), 0);
  return sum === WHOLE ? undefined : { path: 'forecast', message: `add up to ${sumText(sum)}` };
}

/** Names the field whose number is lower than that of a lower chance. */
function orderFault(
  pairs: readonly string[],
  fields: readonly ForecastPart[],
  unit: string,
): Detail | undefined {
  const values = pairs
    .map(split)
    .filter(({ name }) => isQuantile(name))
    .sort((a, b) => Number(a.name.slice(1)) - Number(b.name.slice(1)));
  for (const [at, { name, value }] of values.entries()) {
    const below = values[at - 1];
    if (!below || parseNumber(value) >= parseNumber(below.value)) continue;
    const field = fields.findIndex((one) => one.name === name);
    return {
      path: field === -1 ? 'forecast' : `forecast_${field}`,
      message: `must be at least ${below.value}${unit}, the number for ${below.name.slice(1)} %`,
    };
  }
  return undefined;
}

function takeForecast(draft: EtchDraft): boolean {
  const { content } = draft;
  const words = readWords(content);
  if (words.kind !== 'forecast') return false;
  const line = content.split('\n', 1)[0]!;
  const pairs = forecastPairs(line.slice(FORECAST_TAG.length));
  if (forecastWords(pairs, words.reasoning) !== content) return false;
  const parts = pairs.map((pair): ForecastPart => {
    const { name, value } = split(pair);
    return { name, value: isQuantile(name) ? value : percentText(parseProbability(value)) };
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
  return `${name}=${isQuantile(name) ? numberIn(value) : probabilityIn(readChance(value))}`;
}

function pairOf({ name, value }: ForecastPart): string {
  if (name === '') throw new ConventionError('has a probability and no name: name the outcome');
  if (isQuantile(name)) return `${name}=${numberIn(value)}`;
  if (!isOutcomeName(name))
    throw new ConventionError(
      'has an invalid name: use at most 40 letters, digits, signs, symbols and single spaces, and none of = | [ ] ,',
    );
  if (value === '') throw new ConventionError('has a name and no probability: give one, or 0');
  return `${name}=${probabilityIn(readPercent(value))}`;
}

/** @throws ConventionError */
function numberIn(text: string): string {
  const number = plainNumber(text);
  parseNumber(number);
  return number;
}

/** @throws ConventionError */
function probabilityIn(chance: number | string): string {
  if (typeof chance === 'string') throw new ConventionError(chance);
  return formatProbability(chance);
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
      return required('forecast', beginsAsForecast, composeForecast(draft, question));
    case 'files':
      return required('files', (content) => content.startsWith(FILES_TAG), composeFiles(draft));
    case PREREGISTRATION:
      return composeSections(draft);
    default:
      return draft.files ? composeFiles(draft) : composeAnswer(draft, question);
  }
}

/** Words can be an answer without a forecast, as a text; an empty form cannot. */
function composeAnswer(draft: EtchDraft, question: string | undefined): Composed {
  const composed = composeForecast(draft, question);
  const isForecast = (askedBy(question)?.asks ?? 'text') !== 'text';
  return isForecast && composed.content.trim() === ''
    ? required(forecastPath(question), beginsAsForecast, composed)
    : composed;
}

/** The only field of a question for yes or no, and the group of every other. */
export function forecastPath(question: string | undefined): string {
  const asked = askedBy(question);
  return asked?.asks === 'outcomes' && isYesNo(asked.outcomes) ? 'forecast_0' : 'forecast';
}

function composeSections(draft: EtchDraft): Composed {
  const { content, sections = {} } = draft;
  const given = content === '' ? sections : (readSections(content) ?? {});
  const missing = SECTIONS.filter((name) => given[name] === undefined);
  return {
    content: content === '' ? composeFiles({ ...draft, content: sectionWords(sections) }).content : content,
    wrong: missing.map((name) => ({ path: sectionField(name), message: 'is required' })),
  };
}

function required(path: string, has: (content: string) => boolean, composed: Composed): Composed {
  if (composed.wrong.length > 0 || has(composed.content)) return composed;
  // The words are optional, so blank ones are no second error.
  const content = composed.content.trim() === '' ? FORECAST_TAG : composed.content;
  return { content, wrong: [{ path, message: 'is required' }] };
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
