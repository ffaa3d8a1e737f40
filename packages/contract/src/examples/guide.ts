import type { Guide, GuideTester } from '../resources/guide.ts';
import { author, revealedEtch } from './etch.ts';

const questions = [{ id: 'first-impression', text: 'What did you expect to happen, and what did?' }];
const progress = [{ id: 'first-etch', title: 'Make an etch', done: true }];
const answers = { 'first-impression': ['It was anchored before I had read the page.'] };

export const guide: Guide = {
  progress,
  questions,
  answers,
  username: author.username,
  proof_etch: revealedEtch,
  reader: false,
};

export const tester: GuideTester = { user_id: author.user_id, username: author.username, progress, answers };

export const submission = {
  answers: [{ question: 'first-impression', answer: 'It was anchored before I had read the page.' }],
};
