// docs/conventions.md#declared-completeness
import { bad } from './conventions.mjs';
import { seededUuid } from './rules.mjs';

const [A, B, C] = ['a', 'b', 'c'].map((name) => seededUuid(`account ${name}`));
const one = (id, username) => ({ id, username });
const scope = (accounts, domain = null, note = '') => ({
  kind: 'scope',
  subject: 'Rain in May',
  accounts,
  domain,
  note,
});
const begin = 'svc-scope:v1\nsubject Rain in May';

const WORDS = {
  'a subject alone': [begin, scope([])],
  'two accounts': [
    `${begin}\naccount ${A} ada\naccount ${B} bob_2\n`,
    scope([one(A, 'ada'), one(B, 'bob_2')]),
  ],
  'a domain': [`${begin}\naccount ${A} ada\ndomain example.org`, scope([one(A, 'ada')], 'example.org')],
  'a note below': [`${begin}\ndomain example.org\n\nAll of them.`, scope([], 'example.org', 'All of them.')],
  'CR LF': [`${begin.replace('\n', '\r\n')}\r\naccount ${A} ada\r\n`, scope([one(A, 'ada')])],
  'no subject': [`svc-scope:v1\naccount ${A} ada`, bad()],
  'an empty subject': ['svc-scope:v1\nsubject ', bad()],
  'the tag alone': ['svc-scope:v1', bad()],
  'the subject in the first line': ['svc-scope:v1 subject Rain in May', bad()],
  'an account twice': [`${begin}\naccount ${A} ada\naccount ${A} bob`, bad()],
  'a name twice': [`${begin}\naccount ${A} ada\naccount ${B} ada`, bad()],
  'an account without its name': [`${begin}\naccount ${A}`, bad()],
  'an account by its name alone': [`${begin}\naccount ada`, bad()],
  'a domain before an account': [`${begin}\ndomain example.org\naccount ${A} ada`, bad()],
  'a domain in upper case': [`${begin}\ndomain Example.org`, bad()],
  'a url as the domain': [`${begin}\ndomain https://example.org`, bad()],
  'another line': [`${begin}\nemail ada@example.org`, bad()],
  'a direction in the subject': ['svc-scope:v1\nsubject Rain \u202e in May', bad()],
  'another version': ['svc-scope:v2\nsubject Rain in May', bad()],
};

const words = (accounts, domain = null, subject = 'Rain in May') =>
  ['svc-scope:v1', `subject ${subject}`, ...accounts.map((id) => `account ${id} u_${id.slice(0, 4)}`)]
    .concat(domain === null ? [] : [`domain ${domain}`])
    .join('\n');

/** [name, scope, later scopes, state, index of the later scope] */
const HISTORIES = [
  ['as declared', words([A]), [], 'declared', null],
  ['repeated', words([A]), [words([A])], 'declared', null],
  ['an account more', words([A]), [words([A, B])], 'widened', 0],
  ['widened twice', words([A]), [words([A, B]), words([A, B, C])], 'widened', 1],
  ['an account less', words([A, B]), [words([A])], 'broken', 0],
  ['an account exchanged', words([A]), [words([B])], 'broken', 0],
  ['widened and narrowed again', words([A]), [words([A, B]), words([A])], 'broken', 1],
  ['the domain dropped', words([A], 'example.org'), [words([A])], 'broken', 0],
  ['another subject', words([A]), [words([], null, 'Snow')], 'declared', null],
];

export const scopeVectors = () => [
  [
    'valid/conventions-scopes',
    {
      about:
        'Declared scopes: words, and the state of a scope after later ones by the same account, oldest first.',
      cases: Object.entries(WORDS).map(([name, [text, read]]) => ({ name, words: text, read })),
      histories: HISTORIES.map(([name, declared, later, state, by]) => ({
        name,
        declared,
        later,
        state,
        by,
      })),
    },
  ],
];
