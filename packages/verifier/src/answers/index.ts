export * from './check-answer.ts';
export type { KnownAuthor, KnownChallenge } from './created.ts';
export * from './misfit-words.ts';
export type { OpenedEtch } from './opening.ts';
