import {
  CreateChallengeBody,
  CreateEtchBody,
  CreateKeyBody,
  describeIssues,
  FollowBody,
  MAX_DETAILS,
  RegisterAgentBody,
  ROUTES,
  ROUTE_LIST,
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

  it('rejects an instant etch in a challenge', () => {
    expect(issues({ ...entry, mode: 'instant' })).toEqual([
      { path: 'mode', message: 'must be delayed in a challenge' },
    ]);
  });

  it.each([
    ['a delayed etch without a reveal time', { ...instant, mode: 'delayed' }, 'reveal_at', 'is required'],
    [
      'an instant etch with one',
      { ...delayed, mode: 'instant' },
      'reveal_at',
      'must be absent for an instant etch',
    ],
    ['a day', { ...delayed, reveal_at: '2030-01-01' }, 'reveal_at', /RFC 3339/],
    ['a time without a zone', { ...delayed, reveal_at: '2030-01-01T00:00:00' }, 'reveal_at', /RFC 3339/],
    ['a day not on the calendar', { ...delayed, reveal_at: '2030-02-30T00:00:00Z' }, 'reveal_at', /RFC 3339/],
    ['a leap second', { ...delayed, reveal_at: '2030-06-30T23:59:60Z' }, 'reveal_at', /RFC 3339/],
    ['a number for a time', { ...delayed, reveal_at: 1893456000 }, 'reveal_at', 'must be a string'],
    ['no content', { ...instant, content: undefined }, 'content', 'is required'],
    ['blank content', { ...instant, content: ' \n' }, 'content', /blanks/],
    [
      'long content',
      { ...instant, content: 'a'.repeat(2001) },
      'content',
      'must have at most 2000 characters',
    ],
    ['null content', { ...instant, content: null }, 'content', 'must be a string'],
    ['no description', { ...instant, description: undefined }, 'description', 'is required'],
    [
      'a long one',
      { ...instant, description: 'é'.repeat(141) },
      'description',
      'must have at most 140 characters',
    ],
    ['an unknown topic', { ...instant, category_id: 'weather' }, 'category_id', /must be one of: crypto/],
    ['an unknown mode', { ...instant, mode: 'later' }, 'mode', 'must be one of: instant, delayed'],
    ['no mode', { ...instant, mode: undefined }, 'mode', 'is required'],
    ['a short signature', { ...instant, signature: 'ab' }, 'signature', /64 bytes in hex/],
    ['a challenge id that is no UUID', { ...entry, challenge_id: '7' }, 'challenge_id', 'must be a UUID'],
  ])('rejects %s and names the field once', (_what, body, path, message) => {
    const found = issues(JSON.parse(JSON.stringify(body)));
    expect(found).toHaveLength(1);
    expect(found[0]?.path).toBe(path);
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
  const answers = [{ question: 'q', answer: 'a' }];

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
    [
      'empty and long ones',
      SendAnswersBody,
      {
        anon_key: uuid,
        answers: [
          { question: 'q', answer: '' },
          { question: 'q', answer: '😀'.repeat(4000) },
        ],
      },
    ],
  ])('accept %s', (_what, schema, body) => {
    expect(issuesOf(ajv.compile(schema), body)).toEqual([]);
  });

  it.each([
    [
      'a question that is too long',
      CreateChallengeBody,
      { ...challenge, question: 'a'.repeat(281) },
      'question',
    ],
    ['a blank one', CreateChallengeBody, { ...challenge, question: ' ' }, 'question'],
    ['a challenge without an end', CreateChallengeBody, { ...challenge, reveal_at: null }, 'reveal_at'],
    [
      'a challenge that ends on a day',
      CreateChallengeBody,
      { ...challenge, reveal_at: '2030-01-01' },
      'reveal_at',
    ],
    ['a long name', UpdateMeBody, { display_name: 'a'.repeat(65) }, 'display_name'],
    ['a blank name', UpdateMeBody, { display_name: '\u2003' }, 'display_name'],
    ['no name', UpdateMeBody, {}, 'display_name'],
    ['an unknown scope', CreateKeyBody, { name: 'k', scope: 'admin' }, 'scope'],
    ['a long key name', CreateKeyBody, { name: 'k'.repeat(65) }, 'name'],
    [
      'a public key with bad digits',
      RegisterAgentBody,
      { ...signed, public_key: `abzz12${'0'.repeat(58)}` },
      'public_key',
    ],
    ['a short signature', RegisterAgentBody, { ...signed, signature: 'cd'.repeat(63) }, 'signature'],
    [
      'a time without a zone',
      RegisterAgentBody,
      { ...signed, issued_at: '2030-01-01T00:00:00' },
      'issued_at',
    ],
    ['a script as url', RegisterAgentBody, { ...signed, agent_url: 'javascript:alert(1)' }, 'agent_url'],
    [
      'a url of 201',
      RegisterAgentBody,
      { ...signed, agent_url: `https://a.example/${'a'.repeat(183)}` },
      'agent_url',
    ],
    ['no domain', SetDomainBody, { domain: '' }, 'domain'],
    ['an unknown target', FollowBody, { target_type: 'planet', target_id: 'x' }, 'target_type'],
    ['a target without an id', FollowBody, { target_type: 'user' }, 'target_id'],
    ['no answers', SendAnswersBody, { answers: [] }, 'answers'],
    [
      'a long answer',
      SendAnswersBody,
      { answers: [{ question: 'q', answer: 'a'.repeat(4001) }] },
      'answers.0.answer',
    ],
    [
      'an answer to nothing',
      SendAnswersBody,
      { answers: [...answers, { answer: 'a' }] },
      'answers.1.question',
    ],
    [
      'a number as an answer',
      SendAnswersBody,
      { answers: [{ question: 'q', answer: 1 }] },
      'answers.0.answer',
    ],
    ['an anon_key that is no UUID', SendAnswersBody, { anon_key: 'me', answers }, 'anon_key'],
  ])('reject %s', (_what, schema, body, path) => {
    const paths = issuesOf(ajv.compile(schema), body).map((issue) => issue.path);
    expect(new Set(paths)).toEqual(new Set([path]));
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
  it('reject a repeated parameter everywhere', () => {
    let count = 0;
    for (const { query, operationId } of ROUTE_LIST) {
      if (query === undefined) continue;
      const valid = ajv.compile(query);
      for (const name of Object.keys(query.properties)) {
        count++;
        const paths = issuesOf(valid, { [name]: ['1', '1'] }).map((issue) => issue.path);
        expect(paths, `${operationId} ${name}`).toContain(name);
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  it('reject NUL in every parameter', () => {
    for (const { query, operationId } of ROUTE_LIST) {
      if (query === undefined) continue;
      const valid = ajv.compile(query);
      for (const name of Object.keys(query.properties)) {
        const paths = issuesOf(valid, { [name]: '1\u0000' }).map((issue) => issue.path);
        expect(paths, `${operationId} ${name}`).toContain(name);
      }
    }
  });

  it('ignore unknown words on lists', () => {
    const words = { status: 'x', category: 'x,y', sort: 'x', following: 'x', q: '%_\\@' };
    for (const id of [
      'listChallenges',
      'searchEtches',
      'searchAccounts',
      'searchChallenges',
      'listUserEtches',
      'getChallenge',
    ] as const) {
      expect(issuesOf(ajv.compile(ROUTES[id].query), words), id).toEqual([]);
    }
    expect(issuesOf(ajv.compile(ROUTES.listChallenges.query), { page: 'x' })).toEqual([]);
  });

  it('reject a bad page or limit on every list but the challenge list', () => {
    for (const { operationId, query } of ROUTE_LIST) {
      if (query === undefined || operationId === 'listChallenges') continue;
      const valid = ajv.compile(query);
      for (const name of ['page', 'limit']) {
        if (!(name in query.properties)) continue;
        for (const value of ['0', '-1', 'x', '', '1.5', '101e9']) {
          const paths = issuesOf(valid, { [name]: value }).map((issue) => issue.path);
          expect(paths, `${operationId} ${name}=${value}`).toEqual([name]);
        }
      }
    }
  });

  it('limit an Idempotency-Key to 255 characters', () => {
    for (const { headers } of [ROUTES.createEtch, ROUTES.createChallenge]) {
      const valid = ajv.compile(headers);
      expect(valid({})).toBe(true);
      expect(valid({ 'Idempotency-Key': 'k'.repeat(255) })).toBe(true);
      expect(valid({ 'Idempotency-Key': 'k'.repeat(256) })).toBe(false);
      expect(valid({ 'Idempotency-Key': '' })).toBe(false);
    }
  });
});
