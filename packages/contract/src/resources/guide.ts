import { Type, type Static } from 'typebox';
import { Username, Uuid, nullable, shape } from '../fields.ts';
import { Etch } from './etch.ts';

export const ANSWER_MAX = 4000;
/** Answers in one request. */
export const ANSWERS_MAX = 100;

export const GuideStep = shape('GuideStep', {
  id: Type.String(),
  title: Type.String(),
  done: Type.Boolean({ description: 'Derived from what the account did.' }),
});
export type GuideStep = Static<typeof GuideStep>;

export const GuideQuestion = shape('GuideQuestion', { id: Type.String(), text: Type.String() });
export type GuideQuestion = Static<typeof GuideQuestion>;

export const GuideAnswers = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'GuideAnswers',
  description: 'By question id, every submitted answer, oldest first.',
});
export type GuideAnswers = Static<typeof GuideAnswers>;

export const Guide = shape('Guide', {
  progress: Type.Array(GuideStep),
  questions: Type.Array(GuideQuestion),
  answers: GuideAnswers,
  username: Username,
  proof_etch: nullable(Etch),
  reader: Type.Boolean(),
});
export type Guide = Static<typeof Guide>;

export const GuideTester = shape(
  'GuideTester',
  {
    user_id: nullable(Uuid),
    username: nullable(Username),
    progress: Type.Array(GuideStep),
    answers: GuideAnswers,
  },
  'One tester; without a user id and a name when the answers came signed out.',
);
export type GuideTester = Static<typeof GuideTester>;
