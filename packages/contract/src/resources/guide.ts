import { Type, type Static } from 'typebox';
import { Username, Uuid, nullable, shape, told } from '../fields.ts';
import { Etch } from './etch.ts';

export const ANSWER_MAX = 4000;
/** In one request. */
export const ANSWERS_MAX = 100;

export const GuideStep = shape(
  'GuideStep',
  {
    id: Type.String({ description: "The step's name." }),
    title: Type.String({ description: 'What there is to do.' }),
    done: Type.Boolean({ description: 'Derived from what the account did.' }),
  },
  'A step of the guide.',
);
export type GuideStep = Static<typeof GuideStep>;

export const GuideQuestion = shape(
  'GuideQuestion',
  {
    id: Type.String({ description: 'What an answer to it names.' }),
    text: Type.String({ description: 'What is asked.' }),
  },
  'A question of the guide.',
);
export type GuideQuestion = Static<typeof GuideQuestion>;

export const GuideAnswers = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'GuideAnswers',
  description: 'By question id, every submitted answer, oldest first.',
});
export type GuideAnswers = Static<typeof GuideAnswers>;

const progress = Type.Array(GuideStep, { description: 'Every step, and whether it is done.' });

export const Guide = shape(
  'Guide',
  {
    progress,
    questions: Type.Array(GuideQuestion, { description: 'What is asked.' }),
    answers: GuideAnswers,
    username: told(Username, "The caller's username."),
    proof_etch: nullable(Etch, 'An etch of the caller to verify; null as long as there is none.'),
    reader: Type.Boolean({ description: "May the caller read all testers' answers?" }),
  },
  "The tester guide with the caller's progress.",
);
export type Guide = Static<typeof Guide>;

export const GuideTester = shape(
  'GuideTester',
  {
    user_id: nullable(Uuid, "The tester's account; null when signed out."),
    username: nullable(Username, "The tester's username; null when signed out."),
    progress,
    answers: GuideAnswers,
  },
  'One tester; without a user id and a name when the answers came signed out.',
);
export type GuideTester = Static<typeof GuideTester>;
