import type { ErrorDetail } from './errors.ts';

/** `parentSchema` needs Ajv's option `verbose`. */
export interface ValidatorIssue {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string | undefined;
  parentSchema?: object | undefined;
}

export const MAX_DETAILS = 20;

// They only report the failure of another keyword.
const ECHOES = new Set(['if', 'anyOf', 'oneOf', 'allOf']);
const OWN_WORDS = new Set(['pattern', 'format', 'const', 'not']);

const BOUNDS: Readonly<Record<string, [string, string]>> = {
  maxLength: ['at most', 'character'],
  minLength: ['at least', 'character'],
  maxItems: ['at most', 'item'],
  minItems: ['at least', 'item'],
};

const TYPES: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

function messageOf(issue: ValidatorIssue): string {
  if (issue.keyword === 'required') return 'is required';
  const bound = BOUNDS[issue.keyword];
  if (bound !== undefined) {
    const limit = String(issue.params['limit']);
    return `must have ${bound[0]} ${limit} ${bound[1]}${limit === '1' ? '' : 's'}`;
  }
  const type = issue.keyword === 'type' ? TYPES[String(issue.params['type'])] : undefined;
  if (type !== undefined) return `must be ${type}`;
  if (issue.keyword === 'enum' && Array.isArray(issue.params['allowedValues'])) {
    return `must be one of: ${issue.params['allowedValues'].join(', ')}`;
  }
  const schema: { 'x-message'?: unknown } = issue.parentSchema ?? {};
  const own = schema['x-message'];
  if (OWN_WORDS.has(issue.keyword) && typeof own === 'string') return own;
  return issue.message ?? 'is not valid';
}

/** Never repeats values, because they may be secret. */
export function describeIssues(issues: readonly ValidatorIssue[]): ErrorDetail[] {
  const telling = issues.some(({ keyword }) => !ECHOES.has(keyword));
  const details = new Map<string, ErrorDetail>();
  for (const issue of issues) {
    if (telling && ECHOES.has(issue.keyword)) continue;
    const detail = detailOf(issue);
    details.set(`${detail.path}\n${detail.message}`, detail);
    // A body may have a hundred thousand faults.
    if (details.size === MAX_DETAILS) break;
  }
  return [...details.values()];
}

function detailOf(issue: ValidatorIssue): ErrorDetail {
  const steps = issue.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing = issue.keyword === 'required' ? issue.params['missingProperty'] : undefined;
  if (typeof missing === 'string') steps.push(missing);
  return { path: steps.join('.'), message: messageOf(issue) };
}
