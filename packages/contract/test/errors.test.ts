import { ERROR_CODES, STATUS_OF, codeOf, ErrorEnvelope } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { serverAjv } from './support/validator.ts';

// docs/specification.md#envelope
const TABLE = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  service_unavailable: 503,
};

describe('error table', () => {
  it('pairs the nine codes with their statuses', () => {
    expect(STATUS_OF).toEqual(TABLE);
    expect([...ERROR_CODES].sort()).toEqual(Object.keys(TABLE).sort());
  });

  it('finds the code of a status, 405, 413 and 415 included', () => {
    for (const [code, status] of Object.entries(TABLE)) expect(codeOf(status)).toBe(code);
    for (const status of [405, 413, 415]) expect(codeOf(status)).toBe('bad_request');
    for (const status of [200, 402, 418, 502]) expect(codeOf(status)).toBeUndefined();
  });

  it('accepts only the envelope', () => {
    const valid = serverAjv().compile(ErrorEnvelope);
    const error = { code: 'not_found', message: 'There is no such etch.' };
    expect(valid({ error })).toBe(true);
    expect(valid({ error: { ...error, details: [{ path: 'id', message: 'is unknown' }] } })).toBe(true);
    for (const wrong of [
      {},
      error,
      { error, extra: 1 },
      { error: { ...error, code: 'teapot' } },
      { error: { ...error, stack: 'x' } },
      { error: { code: 'not_found' } },
      { error: { ...error, details: [{ path: 'id' }] } },
      { error: { ...error, details: 'x' } },
    ])
      expect(valid(wrong), JSON.stringify(wrong)).toBe(false);
  });
});
