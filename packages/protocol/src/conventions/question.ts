import { codePointLength } from '../text.ts';
import { parseNumber } from './decimals.ts';
import { isBinary, isOutcomeName, MAX_OUTCOMES, VOID } from './forecast.ts';
import type { Forecast } from './forecast.ts';
import { ConventionError, refuseControls } from './plain-text.ts';

const MAX_UNIT = 20;

/** What a challenge asks for, by how its question ends. */
export type Asked =
  | {
      asks: 'text';
      /** why, where the question ends as if it asked for more; else null */
      reason: string | null;
    }
  | { asks: 'outcomes'; outcomes: string[] }
  | { asks: 'number'; unit: string };

/**
 * What a question asks for: `[yes|no]`, `[red|green|blue]` or `[number: mm]` at its end, else a text
 * (docs/conventions.md#what-a-challenge-asks-for).
 * @example
 * parseQuestion('Will it rain on Sunday? [yes|no]'); // { asks: 'outcomes', outcomes: ['yes', 'no'] }
 * parseQuestion('How much will it rain? [number: mm]'); // { asks: 'number', unit: 'mm' }
 * parseQuestion('When will it rain?').asks; // 'text'
 */
export function parseQuestion(question: string): Asked {
  const [, inside] = /\[([^[\]]*)\]\s*$/.exec(question) ?? [];
  if (inside === undefined) return { asks: 'text', reason: null };
  const [, unit] = /^number: *(.*?) *$/.exec(inside) ?? [];
  try {
    refuseControls(inside, 'what stands in brackets');
    return unit === undefined ? readOutcomes(inside) : readUnit(unit);
  } catch (error) {
    if (error instanceof ConventionError) return { asks: 'text', reason: error.message };
    throw error;
  }
}

function readUnit(unit: string): Asked {
  if (unit === '' || codePointLength(unit) > MAX_UNIT)
    throw new ConventionError(`behind number: stands a unit of at most ${MAX_UNIT} characters`);
  return { asks: 'number', unit };
}

function readOutcomes(inside: string): Asked {
  const outcomes = inside.split('|').map((name) => name.trim().normalize('NFC'));
  if (outcomes.length < 2 || outcomes.length > MAX_OUTCOMES)
    throw new ConventionError(
      `in brackets stand 2 to ${MAX_OUTCOMES} outcomes, parted by |, or number: and a unit`,
    );
  for (const [at, name] of outcomes.entries()) {
    if (!isOutcomeName(name))
      throw new ConventionError(`${JSON.stringify(name)} cannot be the name of an outcome`);
    if (outcomes.indexOf(name) !== at) throw new ConventionError(`the outcome ${name} stands there twice`);
  }
  return { asks: 'outcomes', outcomes };
}

/**
 * Why a forecast does not answer what is asked, or null when it does. Outcomes that it leaves out have the probability 0.
 * @example
 * const asked = parseQuestion('Which one? [red|green|blue]');
 * forecastMisfit(parseForecast('svc-forecast:v1 red=0.4 blue=0.6'), asked); // null
 * forecastMisfit(parseForecast('svc-forecast:v1 pink=1'), asked); // 'the question has no outcome pink: red, green, blue'
 */
export function forecastMisfit(forecast: Forecast, asked: Asked): string | null {
  if (asked.asks === 'text') return 'the question asks for a text';
  if (asked.asks === 'number')
    return forecast.form === 'quantiles'
      ? null
      : 'the question asks for a number: give quantiles, such as q10=3 q50=5 q90=9';
  if (forecast.form === 'quantiles')
    return `the question asks for probabilities of its outcomes: ${asked.outcomes.join(', ')}`;
  const unknown = forecast.outcomes.find(({ name }) => !asked.outcomes.includes(name));
  return unknown === undefined
    ? null
    : `the question has no outcome ${unknown.name}: ${asked.outcomes.join(', ')}`;
}

/**
 * Why a resolution's outcome or value does not answer what was asked, or null when it does; `void` always does.
 * @example
 * outcomeMisfit('yes', parseQuestion('Will it rain? [yes|no]')); // null
 * outcomeMisfit('12.5', parseQuestion('How much? [number: mm]')); // null
 * outcomeMisfit('perhaps', parseQuestion('Will it rain? [yes|no]')); // 'the question has no outcome perhaps: yes, no, void'
 */
export function outcomeMisfit(outcome: string, asked: Asked): string | null {
  if (outcome === VOID) return null;
  if (asked.asks === 'text') return 'the question asks for a text, which nobody can resolve';
  if (asked.asks === 'outcomes')
    return asked.outcomes.includes(outcome)
      ? null
      : `the question has no outcome ${outcome}: ${[...asked.outcomes, VOID].join(', ')}`;
  try {
    parseNumber(outcome);
    return null;
  } catch (error) {
    return (error as ConventionError).message;
  }
}

/**
 * What a forecast outside challenges answers, as a question would ask for it: yes or no, one of the outcomes that it names, or a
 * number.
 * @example
 * askedByForecast(parseForecast('svc-forecast:v1 yes=0.72')).outcomes; // ['yes', 'no']
 */
export function askedByForecast(forecast: Forecast): Asked {
  if (forecast.form === 'quantiles') return { asks: 'number', unit: '' };
  return {
    asks: 'outcomes',
    outcomes: isBinary(forecast) ? ['yes', 'no'] : forecast.outcomes.map(({ name }) => name),
  };
}
