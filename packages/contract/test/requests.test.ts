import {
  CreateChallengeBody,
  CreateEtchBody,
  CreateKeyBody,
  describeIssues,
  FollowBody,
  MAX_DETAILS,
  RegisterAgentBody,
  ROUTE_LIST,
  ROUTES,
  SendAnswersBody,
  SetDomainBody,
  UpdateMeBody,
  type ValidatorIssue,
} from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { issuesOf, serverAjv } from './support/validator.ts';

const ajv = serverAjv();
const uuid = '3f9b2a64-7c1d-4b85-a0e3-6d2c91f7584b';

describe('POST /etches', () => {
  const valid = ajv.compile(CreateEtchBody);
  const common = { content: 'text', category_id: 'ai' };
  const delayed = { ...common, description: 'd', mode: 'delayed', reveal_at: '2030-01-01T00:00:00Z' };
  const instant = { ...common, description: 'd', mode: 'instant' };
  const entry = { ...common, mode: 'delayed', challenge_id: uuid };
  const issues = (body: unknown) => issuesOf(valid, body);

  it('accepts the three kinds', () => {
    for (const body of [delayed, instant, entry]) expect(issues(body)).toEqual([]);
    expect(issues({ ...instant, signature: 'aB'.repeat(64), unknown: { deep: [1] } })).toEqual([]);
    expect(issues({ ...delayed, reveal_at: '2030-01-01T00:00:00.123456+02:00' })).toEqual([]);
  });

  it('ignores description and reveal time in a challenge, but a description must be a string', () => {
    expect(issues({ ...entry, description: '', reveal_at: 'tomorrow' })).toEqual([]);
    expect(issues({ ...entry, description: 'x'.repeat(1000) })).toEqual([]);
    expect(issues({ ...entry, description: 5 })).toEqual([
      { path: 'description', message: 'must be a string' },
    ]);
  });

  it.each<[string, object, object, string | RegExp]>([
    ['a delayed etch without a reveal time', delayed, { reveal_at: undefined }, 'is required'],
    [
      'an instant etch with one',
      instant,
      { reveal_at: '2030-01-01T00:00:00Z' },
      'must be absent for an instant',
    ],
    ['a day', delayed, { reveal_at: '2030-01-01' }, /RFC 3339/],
    ['a time without a zone', delayed, { reveal_at: '2030-01-01T00:00:00' }, /RFC 3339/],
    ['a day not on the calendar', delayed, { reveal_at: '2030-02-30T00:00:00Z' }, /RFC 3339/],
    ['a leap second', delayed, { reveal_at: '2030-06-30T23:59:60Z' }, /RFC 3339/],
    ['a number for a time', delayed, { reveal_at: 1893456000 }, 'must be a string'],
    ['no content', instant, { content: undefined }, 'is required'],
    ['blank content', instant, { content: ' \n' }, /blanks/],
    ['long content', instant, { content: 'a'.repeat(2001) }, 'must have at most 2000 characters'],
    ['null content', instant, { content: null }, 'must be a string'],
    ['no description', instant, { description: undefined }, 'is required'],
    ['a long one', instant, { description: 'é'.repeat(141) }, 'must have at most 140 characters'],
    ['an unknown topic', instant, { category_id: 'weather' }, /must be one of: crypto/],
    ['an unknown mode', instant, { mode: 'later' }, 'must be one of: instant, delayed'],
    ['no mode', instant, { mode: undefined }, 'is required'],
    ['a short signature', instant, { signature: 'ab' }, /64 bytes in hex/],
    ['a challenge id that is no UUID', entry, { challenge_id: '7' }, 'must be a UUID'],
    ['an instant etch in a challenge', entry, { mode: 'instant' }, /^must be delayed in a challenge$/],
  ])('rejects %s and names the field once', (_what, good, change, message) => {
    const found = issues(JSON.parse(JSON.stringify({ ...good, ...change })));
    expect(found.map(({ path }) => path)).toEqual(Object.keys(change));
    expect(found[0]?.message).toMatch(message);
  });

  it('rejects a body that is not an object', () => {
    for (const body of [null, [], [delayed], 'text', 5, true, undefined])
      expect(issues(body)).not.toEqual([]);
  });

  it('never repeats a sent value', () => {
    const canary = 'canary-5b1e';
    for (const field of Object.keys(delayed)) {
      const found = issues({ ...delayed, [field]: { [canary]: canary } });
      expect(found).not.toEqual([]);
      expect(JSON.stringify(found)).not.toContain(canary);
    }
  });
});

describe('other bodies', () => {
  const at = '2030-01-01T00:00:00Z';
  const signed = { public_key: 'ab'.repeat(32), signature: 'cd'.repeat(64), issued_at: at };
  const challenge = { question: 'Who?', category_id: 'ai', reveal_at: at };
  const to = (answer: string) => ({ question: 'q', answer });
  const answers = [to('a')];

  it.each([
    ['a challenge', CreateChallengeBody, challenge],
    ['a question of 280 emoji', CreateChallengeBody, { ...challenge, question: '😀'.repeat(280) }],
    ['a display name', UpdateMeBody, { display_name: '😀'.repeat(64), username: 'ignored' }],
    ['a key', CreateKeyBody, { name: 'k' }],
    ['a key with its scope', CreateKeyBody, { name: 'k'.repeat(64), scope: 'write' }],
    ['a registration', RegisterAgentBody, signed],
    ['a full one', RegisterAgentBody, { ...signed, display_name: 'a', agent_url: 'https://a.example/' }],
    ['a domain', SetDomainBody, { domain: 'agents.example.org' }],
    ['a follow', FollowBody, { target_type: 'category', target_id: 'ai' }],
    ['an answer', SendAnswersBody, { answers }],
    ['empty and long ones', SendAnswersBody, { anon_key: uuid, answers: ['', '😀'.repeat(4000)].map(to) }],
  ])('accept %s', (_what, schema, body) => {
    expect(issuesOf(ajv.compile(schema), body)).toEqual([]);
  });

  const good = new Map<object, object>([
    [CreateChallengeBody, challenge],
    [UpdateMeBody, { display_name: 'a' }],
    [CreateKeyBody, { name: 'k' }],
    [RegisterAgentBody, signed],
    [SetDomainBody, { domain: 'agents.example.org' }],
    [FollowBody, { target_type: 'category', target_id: 'ai' }],
    [SendAnswersBody, { answers }],
  ]);
  it.each<[string, object, object, at?: string]>([
    ['a question that is too long', CreateChallengeBody, { question: 'a'.repeat(281) }],
    ['a blank one', CreateChallengeBody, { question: ' ' }],
    ['a challenge without an end', CreateChallengeBody, { reveal_at: null }],
    ['a challenge that ends on a day', CreateChallengeBody, { reveal_at: '2030-01-01' }],
    ['a long name', UpdateMeBody, { display_name: 'a'.repeat(65) }],
    ['a blank name', UpdateMeBody, { display_name: '\u2003' }],
    ['no name', UpdateMeBody, { display_name: undefined }],
    ['an unknown scope', CreateKeyBody, { scope: 'admin' }],
    ['a long key name', CreateKeyBody, { name: 'k'.repeat(65) }],
    ['a public key with bad digits', RegisterAgentBody, { public_key: `abzz12${'0'.repeat(58)}` }],
    ['a short signature', RegisterAgentBody, { signature: 'cd'.repeat(63) }],
    ['a time without a zone', RegisterAgentBody, { issued_at: '2030-01-01T00:00:00' }],
    ['a script as url', RegisterAgentBody, { agent_url: 'javascript:alert(1)' }],
    ['a url of 201', RegisterAgentBody, { agent_url: `https://a.example/${'a'.repeat(183)}` }],
    ['no domain', SetDomainBody, { domain: '' }],
    ['an unknown target', FollowBody, { target_type: 'planet' }],
    ['a target without an id', FollowBody, { target_id: undefined }],
    ['no answers', SendAnswersBody, { answers: [] }],
    ['a long answer', SendAnswersBody, { answers: [to('a'.repeat(4001))] }, '.0.answer'],
    ['an answer to nothing', SendAnswersBody, { answers: [...answers, { answer: 'a' }] }, '.1.question'],
    ['a number as an answer', SendAnswersBody, { answers: [{ question: 'q', answer: 1 }] }, '.0.answer'],
    ['an anon_key that is no UUID', SendAnswersBody, { anon_key: 'me' }],
  ])('reject %s', (_what, schema, change, at = '') => {
    const body = JSON.parse(JSON.stringify({ ...good.get(schema), ...change }));
    const paths = issuesOf(ajv.compile(schema), body).map((issue) => issue.path);
    expect(new Set(paths)).toEqual(new Set([`${Object.keys(change)[0]}${at}`]));
  });
});

describe('issues', () => {
  it('are limited in number', () => {
    const answers = Array.from({ length: 5000 }, () => ({}));
    expect(issuesOf(ajv.compile(SendAnswersBody), { answers })).toHaveLength(MAX_DETAILS);
  });

  it('beyond the limit are not read', () => {
    let looked = 0;
    const issue = (index: number): ValidatorIssue => ({
      keyword: 'type',
      params: {},
      message: 'must be a JSON object',
      get instancePath() {
        looked++;
        return `/answers/${index}`;
      },
    });
    const details = describeIssues(Array.from({ length: 100_000 }, (_, index) => issue(index)));
    expect(details).toHaveLength(MAX_DETAILS);
    expect(looked).toBe(MAX_DETAILS);
  });
});

describe('queries and headers', () => {
  it('reject a repeated parameter and NUL everywhere, and a bad page or limit on every list but one', () => {
    let count = 0;
    for (const { query, operationId } of ROUTE_LIST) {
      if (query === undefined) continue;
      const valid = ajv.compile(query);
      const pathsOf = (name: string, value: unknown) =>
        issuesOf(valid, { [name]: value }).map((issue) => issue.path);
      for (const name of Object.keys(query.properties)) {
        count++;
        for (const value of [['1', '1'], '1\u0000'])
          expect(pathsOf(name, value), `${operationId} ${name}`).toContain(name);
        if (operationId === 'listChallenges' || !['page', 'limit'].includes(name)) continue;
        for (const value of ['0', '-1', 'x', '', '1.5', '101e9'])
          expect(pathsOf(name, value), `${operationId} ${name}=${value}`).toEqual([name]);
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  it('ignore unknown words on lists', () => {
    const words = { status: 'x', category: 'x,y', sort: 'x', following: 'x', q: '%_\\@' };
    for (const id of [
      ...(['listChallenges', 'searchEtches', 'searchAccounts', 'searchChallenges'] as const),
      ...(['listUserEtches', 'getChallenge'] as const),
    ]) {
      expect(issuesOf(ajv.compile(ROUTES[id].query), words), id).toEqual([]);
    }
    expect(issuesOf(ajv.compile(ROUTES.listChallenges.query), { page: 'x' })).toEqual([]);
  });

  it('limit an Idempotency-Key to 255 characters', () => {
    for (const { headers } of [ROUTES.createEtch, ROUTES.createChallenge]) {
      const valid = ajv.compile(headers);
      for (const key of [undefined, 'k'.repeat(255), 'k'.repeat(256), ''])
        expect(valid({ 'Idempotency-Key': key }), key).toBe(key === undefined || key.length === 255);
    }
  });
});
