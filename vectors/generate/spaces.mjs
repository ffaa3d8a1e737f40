// Which white space the conventions skip (docs/protocol.md#6-conventions).
import { bad } from './conventions.mjs';
import { seededUuid } from './rules.mjs';

const ID = seededUuid('account a');
const yesNo = { asks: 'outcomes', outcomes: ['yes', 'no'] };
const text = { asks: 'text', reason: false };
const malformed = { asks: 'text', reason: true };

const QUESTIONS = [
  ['Will it rain? [yes|no]\t ', yesNo],
  ['Will it rain? [  yes |  no  ]', yesNo],
  ['Will it rain? [yes|no]\u00a0', text],
  ['Will it rain? [yes|no]\n', text],
  ['Will it rain? [yes|no]\u2003', text],
  ['Will it rain? [yes|no]\ufeff', text],
  ['Will it rain? [\u00a0yes|no]', malformed],
  ['Will it rain? [yes\u3000|no]', malformed],
  ['Will it rain? [yes|\ufeffno]', malformed],
  ['Will it rain? [yes|\tno]', malformed],
  ['How much? [number: mm]\u00a0', text],
];

const scope = (subject, accounts = []) => ({ kind: 'scope', subject, accounts, domain: null, note: '' });
const SCOPES = {
  'spaces around a subject': ['svc-scope:v1\nsubject   Rain in May  ', scope('Rain in May')],
  'a no-break space after a subject': ['svc-scope:v1\nsubject Rain\u00a0', scope('Rain\u00a0')],
  'an ideographic space as the subject': ['svc-scope:v1\nsubject \u3000', scope('\u3000')],
  'spaces around an account': [
    `svc-scope:v1\nsubject Rain\naccount  ${ID}  ada `,
    scope('Rain', [{ id: ID, username: 'ada' }]),
  ],
  'a no-break space after an account': [`svc-scope:v1\nsubject Rain\naccount ${ID} ada\u00a0`, bad()],
  'a no-break space after a domain': ['svc-scope:v1\nsubject Rain\ndomain example.org\u00a0', bad()],
  'a tab after an account': [`svc-scope:v1\nsubject Rain\naccount ${ID} ada\t`, bad()],
  'a space before a field': [`svc-scope:v1\nsubject Rain\n account ${ID} ada`, bad()],
};

export const spaceVectors = () => [
  [
    'valid/conventions-spaces',
    {
      about:
        'White space in questions and scopes. `reason: true` says that the brackets of a question, or the words, are malformed; they count as a text.',
      cases: Object.entries(SCOPES).map(([name, [words, read]]) => ({ name, words, read })),
      questions: QUESTIONS.map(([question, asked]) => ({ question, asked })),
    },
  ],
];
