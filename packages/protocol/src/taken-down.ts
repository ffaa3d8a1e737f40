import { codePointLength } from './text.ts';

/** A promise still covers the SHA-256 of the old text. */
export const TAKEN_DOWN = 'Taken down by the operator';

const ANSWER = 'Sealed answer to: ';
/** Code points (docs/specification.md#limits). */
const DESCRIPTION_MAX = 140;

const RESOLUTION = /^svc-resolution:v1 [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?= |$)/;
const ANSWER_FORM = /\[(?:number:[^[\]]*|[ \t]*[Yy][Ee][Ss][ \t]*\|[ \t]*[Nn][Oo][ \t]*)\](?=[ \t]*$)/;

/**
 * Keeps the first line of a resolution.
 * @example
 * descriptionTakenDown('The number of Ada is 555 0100'); // 'Taken down by the operator'
 */
export function descriptionTakenDown(description: string): string {
  const [mark] = RESOLUTION.exec(description) ?? [];
  return mark === undefined ? TAKEN_DOWN : `${mark} ${TAKEN_DOWN}`;
}

/**
 * Keeps `[number: …]` or `[yes|no]`, so that forecasts are still scored.
 * @example
 * questionTakenDown('Will Ada Smith win? [yes|no]'); // 'Taken down by the operator [yes|no]'
 */
export function questionTakenDown(question: string): string {
  const [form] = ANSWER_FORM.exec(question) ?? [];
  return form === undefined ? TAKEN_DOWN : `${TAKEN_DOWN} ${form}`;
}

/**
 * Reads an etch's description (docs/protocol.md#410-promises). The description of an answer is cut to 140 characters.
 * @example
 * isDescriptionTakenDown('Sealed answer to: Taken down by the operator [yes|no]'); // true
 */
export function isDescriptionTakenDown(description: string): boolean {
  if (!description.startsWith(ANSWER)) return descriptionTakenDown(description) === description;
  const question = description.slice(ANSWER.length);
  const isCut = codePointLength(description) === DESCRIPTION_MAX;
  return isQuestionTakenDown(question) || (isCut && isQuestionTakenDown(`${question}]`));
}

/**
 * Reads the question of a challenge.
 * @example
 * isQuestionTakenDown('Taken down by the operator [yes|no]'); // true
 */
export const isQuestionTakenDown = (question: string): boolean => questionTakenDown(question) === question;
