import type { Etch } from '@svc/contract';

/** The challenge or the forecast that a resolution decides. */
export interface Subject {
  path: string;
  /** the question, or the description of the forecast */
  title: string;
}

const subjects = new WeakMap<object, Subject>();

/** Notes what a resolution decides, before its page is rendered. The public fields of an etch do not name it. */
export function noteSubject(resolution: Etch, subject: Subject): void {
  subjects.set(resolution, subject);
}

export const subjectOf = (resolution: object): Subject | undefined => subjects.get(resolution);
