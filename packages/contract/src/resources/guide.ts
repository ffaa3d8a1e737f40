import { Type, type Static } from 'typebox';
import { Username, Uuid, nullable, shape, told } from '../fields.ts';
import { Etch } from './etch.ts';

export const ANSWER_MAX = 4000;
export const ANSWERS_MAX = 100;

export const GuideStep = shape(
  'GuideStep',
  {
    id: Type.String({ description: "The step's name." }),
    title: Type.String({ description: 'The task.' }),
    done: Type.Boolean({ description: "Computed from the account's activity." }),
  },
  'A step of the guide.',
);
export type GuideStep = Static<typeof GuideStep>;

export const GuideQuestion = shape(
  'GuideQuestion',
  {
    id: Type.String({ description: 'The id to use in an answer.' }),
    text: Type.String({ description: 'The question.' }),
  },
  'A question of the guide.',
);
export type GuideQuestion = Static<typeof GuideQuestion>;

export const GuideAnswers = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'GuideAnswers',
  description: 'All submitted answers by question id, oldest first.',
});
export type GuideAnswers = Static<typeof GuideAnswers>;

const progress = Type.Array(GuideStep, { description: 'All steps, with whether each is done.' });

export const Guide = shape(
  'Guide',
  {
    progress,
    questions: Type.Array(GuideQuestion, { description: 'The question.' }),
    answers: GuideAnswers,
    username: told(Username, "The caller's username."),
    proof_etch: nullable(Etch, 'An etch of the caller to verify, or null.'),
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
  'One tester. A signed-out tester has no user id and no name.',
);
export type GuideTester = Static<typeof GuideTester>;
