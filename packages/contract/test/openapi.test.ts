import { API_VERSION, CreateEtchBody, openApiDocument, ROUTE_LIST } from '@svc/contract';
import { createConfig, lintFromString, type Config } from '@redocly/openapi-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PORTABLE_PATTERNS } from '../src/formats.ts';
import { ajv2020, serverAjv } from './support/validator.ts';

type Plain = ReturnType<typeof JSON.parse>;

const document = openApiDocument({ baseUrl: 'https://svc.example.org' });
const text = JSON.stringify(document);
const plain = JSON.parse(text);

/** The library's own parameter type costs the compiler five seconds. */
const strict = (): Promise<Config> =>
  (createConfig as unknown as (config: object) => Promise<Config>)({ extends: ['recommended-strict'] });

describe('OpenAPI document', () => {
  it('passes a strict linter, including the structure of OpenAPI 3.1', async () => {
    const config = await strict();
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('has schemas in JSON Schema 2020-12 without private keywords', () => {
    const ajv = ajv2020();
    for (const [name, schema] of Object.entries(plain.components.schemas as Record<string, object>)) {
      expect(ajv.validateSchema(schema), name).toBe(true);
    }
    expect(text).not.toContain('x-message');
    expect(text).not.toContain('x-shown-as');
    expect(text).not.toContain('http-url');
    expect(text).not.toContain('"~');
  });

  it('has patterns that generated clients in other languages can compile', () => {
    // RE2 and Rust lack \u and lookaheads, and their strings have no lone surrogates.
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, one]) => JSON.parse(one!) as string,
    );
    expect(patterns.length).toBeGreaterThan(40);
    expect(patterns.filter((one) => /\\[upP]|\(\?[=!<]/.test(one))).toEqual([]);
    for (const [own, shown] of Object.entries(PORTABLE_PATTERNS)) {
      expect(patterns).toContain(shown);
      fc.assert(
        fc.property(
          fc.string({ unit: fc.constantFrom('\0', ' ', '\t', '\n', 'a', '\u{1f30a}') }),
          (sample) => {
            expect(new RegExp(shown, 'u').test(sample)).toBe(new RegExp(own, 'u').test(sample));
          },
        ),
      );
    }
  });

  it('allows further fields in answers, so that strict clients survive an addition', () => {
    expect(text.includes('"additionalProperties":false')).toBe(false);
  });

  it('agrees with the route table on each operation', () => {
    const operations = Object.values<Plain>(plain.paths).flatMap((item) => Object.keys(item));
    expect(operations).toHaveLength(ROUTE_LIST.length);
    for (const route of ROUTE_LIST) {
      const operation = plain.paths[route.path][route.method.toLowerCase()];
      expect(operation.operationId).toBe(route.operationId);
      // An answer with an ETag may become 304, which has no body.
      const notModified = route.success.headers?.includes('ETag') ? ['304'] : [];
      expect(Object.keys(operation.responses).sort()).toEqual(
        [...Object.keys(route.responses), ...notModified].sort(),
      );
      expect(operation.security).toEqual(route.auth === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }]);
      expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
      const named = (place: string) =>
        (operation.parameters ?? []).filter((one: Plain) => one.in === place).map((one: Plain) => one.name);
      expect(named('path')).toEqual(Object.keys(route.params?.properties ?? {}));
      expect(named('query')).toEqual(Object.keys(route.query?.properties ?? {}));
      expect(named('header')).toEqual(Object.keys(route.headers?.properties ?? {}));
      for (const [status, answer] of Object.entries<Plain>(operation.responses)) {
        if (status === '304') continue;
        const headers = Object.keys(answer.headers);
        expect(headers).toEqual(
          expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
        );
        expect(headers.includes('Retry-After')).toBe(status === '429' || status === '503');
        expect(headers.includes('WWW-Authenticate')).toBe(status === '401');
      }
    }
    const replays = ROUTE_LIST.filter((route) => route.success.headers?.includes('Idempotent-Replay'));
    expect(replays.map((route) => route.operationId).sort()).toEqual(['createChallenge', 'createEtch']);
  });

  it('has numeric query parameters, and its own origin and version', () => {
    const search = plain.paths['/api/v1/search'].get.parameters;
    const limit = search.find((parameter: Plain) => parameter.name === 'limit');
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
    expect(plain.openapi).toMatch(/^3\.1\./);
    expect(plain.info.version).toBe(API_VERSION);
    expect(plain.servers).toEqual([{ url: 'https://svc.example.org', description: 'This service.' }]);
    expect(openApiDocument({ baseUrl: 'http://x', version: '2.0.0' }).info['version']).toBe('2.0.0');
  });

  it('describes the body of an etch as validation does', () => {
    const shown = ajv2020().addSchema(plain, 'doc').getSchema('doc#/components/schemas/CreateEtchBody');
    const judged = serverAjv().compile(CreateEtchBody);
    const word = fc.constantFrom<unknown>('ai', 'instant', 'delayed', '', ' ', 'x', 5, 'x'.repeat(141));
    const sometimes = (usual: unknown) =>
      fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: word });
    const body = fc.record(
      {
        content: sometimes('text'),
        description: sometimes('words'),
        category_id: sometimes('ai'),
        mode: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('instant', 'delayed') }, word),
        reveal_at: sometimes('2030-01-01T00:00:00Z'),
        challenge_id: sometimes('3f9b2a64-7c1d-4b85-a0e3-6d2c91f7584b'),
        signature: sometimes('ab'.repeat(64)),
        other: word,
      },
      { requiredKeys: [] },
    );
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(body, (value) => {
        const taken = judged(value);
        seen[taken ? 'taken' : 'refused']++;
        expect(shown?.(value)).toBe(taken);
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
  });
});
