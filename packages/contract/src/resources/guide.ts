import { Type, type Static } from 'typebox';
import { Username, Uuid, flag, listOf, nullable, shape, text, doc } from '../fields.ts';
import { Etch } from './etch.ts';

export const ANSWER_MAX = 4000;
export const ANSWERS_MAX = 100;

export const GuideStep = shape('GuideStep', 'A step of the guide.', {
  id: text("The step's name."),
  title: text('The task.'),
  done: flag("Computed from the account's activity."),
});

export const GuideQuestion = shape('GuideQuestion', 'A question of the guide.', {
  id: text('The id to use in an answer.'),
  text: text('The question.'),
});

export const GuideAnswers = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'GuideAnswers',
  description: 'All submitted answers by question id, oldest first.',
});
export type GuideAnswers = Static<typeof GuideAnswers>;

const progress = listOf(GuideStep, 'All steps, with whether each is done.');

export const Guide = shape('Guide', "The tester guide with the caller's progress.", {
  progress,
  questions: listOf(GuideQuestion, 'The question.'),
  answers: GuideAnswers,
  username: doc(Username, "The caller's username."),
  proof_etch: nullable(Etch, 'An etch of the caller to verify, or null.'),
  reader: flag("May the caller read all testers' answers?"),
});
export type Guide = Static<typeof Guide>;

export const GuideTester = shape(
  'GuideTester',
  'One tester. A signed-out tester has no user id and no name.',
  {
    user_id: nullable(Uuid, "The tester's account; null when signed out."),
    username: nullable(Username, "The tester's username; null when signed out."),
    progress,
    answers: GuideAnswers,
  },
);
export type GuideTester = Static<typeof GuideTester>;
