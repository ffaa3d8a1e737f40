export type { Exchange, Known, Pins } from './check-answer.ts';
export { checkAnswer } from './check-answer.ts';
export type { KnownAuthor, KnownChallenge } from './created.ts';
export type { Misfit } from './misfit-words.ts';
export { misfitWords } from './misfit-words.ts';
export type { OpenedEtch } from './opening.ts';
