/**
 * What is shown in place of a description or a question that the operator took down. A promise still binds the SHA-256 of the
 * words that were there.
 */
export const TAKEN_DOWN = 'Taken down by the operator';

const RESOLUTION = /^svc-resolution:v1 [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\s|$)/;
const ANSWER_FORM = /\[(?:number:[^[\]]*|\s*yes\s*\|\s*no\s*)\]\s*$/i;

/**
 * What is shown in place of a description. The mark of a resolution stays: the operator must not unresolve a challenge.
 * @example
 * descriptionTakenDown('The number of Ada is 555 0100'); // 'Taken down by the operator'
 */
export function descriptionTakenDown(description: string): string {
  const [mark] = RESOLUTION.exec(description) ?? [];
  return mark === undefined ? TAKEN_DOWN : `${mark} ${TAKEN_DOWN}`;
}

/**
 * What is shown in place of a question. `[number: …]` and `[yes|no]` at its end stay, so that its forecasts are still scored; named
 * outcomes go, because they may be what was taken down.
 * @example
 * questionTakenDown('Will Ada Smith win? [yes|no]'); // 'Taken down by the operator [yes|no]'
 */
export function questionTakenDown(question: string): string {
  const [form] = ANSWER_FORM.exec(question) ?? [];
  return form === undefined ? TAKEN_DOWN : `${TAKEN_DOWN} ${form.trim()}`;
}

/**
 * Is this shown in place of words that the operator took down?
 * @example
 * isTakenDown('Taken down by the operator [yes|no]'); // true
 * isTakenDown('Sealed answer to: Taken down by the operator'); // true
 */
export function isTakenDown(shown: string): boolean {
  const words = shown.replace(/^Sealed answer to: /, '');
  return descriptionTakenDown(words) === words || questionTakenDown(words) === words;
}
