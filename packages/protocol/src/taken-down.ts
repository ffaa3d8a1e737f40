/** A promise still covers the SHA-256 of the old text. */
export const TAKEN_DOWN = 'Taken down by the operator';

const RESOLUTION = /^svc-resolution:v1 [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\s|$)/;
const ANSWER_FORM = /\[(?:number:[^[\]]*|\s*yes\s*\|\s*no\s*)\]\s*$/i;

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
  return form === undefined ? TAKEN_DOWN : `${TAKEN_DOWN} ${form.trim()}`;
}

/**
 * @example
 * isTakenDown('Taken down by the operator [yes|no]'); // true
 */
export function isTakenDown(shown: string): boolean {
  const words = shown.replace(/^Sealed answer to: /, '');
  return descriptionTakenDown(words) === words || questionTakenDown(words) === words;
}
