import type { Etch } from '@svc/contract';

export interface Subject {
  path: string;
  /** question, or the forecast's description */
  title: string;
}

const subjects = new WeakMap<object, Subject>();

/** Before the page is rendered: an etch's public fields do not name it. */
export function noteSubject(resolution: Etch, subject: Subject): void {
  subjects.set(resolution, subject);
}

export const subjectOf = (resolution: object): Subject | undefined => subjects.get(resolution);
