import {
  ConventionError,
  FORECAST_TAG,
  forecastWords,
  isOutcomeName,
  MAX_OUTCOMES,
  parseNumber,
  parseProbability,
} from '@svc/protocol/conventions';
import { type EtchDraft, forecastFields, type ForecastPart } from '@svc/web';
import { badField } from '../../../errors/failure.ts';
import type { Form } from '../form.ts';

export function partsOf(form: Form): ForecastPart[] {
  const parts: ForecastPart[] = [];
  for (let at = 0; at <= MAX_OUTCOMES; at++) {
    const [name, value] = [form[`forecast_name_${at}`], form[`forecast_${at}`]];
    if (name !== undefined || value !== undefined)
      parts.push({ name: (name ?? '').trim(), value: (value ?? '').trim() });
  }
  return parts;
}

/** Into the first line of the words. @throws Failure bad_request */
export function putForecast(draft: EtchDraft, question: string | undefined): void {
  const typed = forecastFields(draft, question).flatMap(({ known, name, value }, at) => {
    if (value === '' && (known !== null || name === '')) return [];
    refuseField(`forecast_${at}`, { name, value });
    return [`${name}=${value}`];
  });
  const line = draft.forecast.split(' ').filter((part) => part !== '');
  if (typed.length + line.length === 0) return;
  const { content } = draft;
  const words = inField('forecast', () =>
    forecastWords([...typed, ...line], content.trim() === '' ? '' : content),
  );
  if (content.startsWith(FORECAST_TAG))
    throw badField('forecast', 'stands on the first line of your words already: leave one of them');
  Object.assign(draft, { content: words, forecast: '', parts: [] });
}

/** @throws Failure bad_request */
function refuseField(path: string, { name, value }: ForecastPart): void {
  const isQuantile = /^q[1-9]\d?$/.test(name);
  if (name === '') throw badField(path, 'has a probability and no name: name the outcome');
  if (!isQuantile && !isOutcomeName(name))
    throw badField(
      path,
      'is named as no outcome can be: at most 40 letters, digits, signs and symbols, no space and none of = | [ ] ,',
    );
  if (value === '') throw badField(path, 'has a name and no probability: give it one, 0 if need be');
  inField(path, () => (isQuantile ? parseNumber(value) : parseProbability(value)));
}

function inField<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConventionError) throw badField(path, error.message);
    throw error;
  }
}
