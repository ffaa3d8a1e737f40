import type { Etch } from '@svc/contract';

export interface Subject {
  path: string;
  title: string;
  /** ` nights`, for an outcome that is a number */
  unit?: string;
}

const subjects = new WeakMap<object, Subject>();

/** Called before the page is rendered: an etch's public fields do not name it. */
export function noteSubject(resolution: Etch, subject: Subject): void {
  subjects.set(resolution, subject);
}

export const subjectOf = (resolution: object): Subject | undefined => subjects.get(resolution);
