import { describeIssues, type ValidatorIssue } from '@svc/contract';
import { Failure } from '../platform/failure.ts';

export function invalid(issues: readonly ValidatorIssue[]): Failure {
  const details = describeIssues(issues);
  const first = details[0];
  const message = first?.path
    ? `${first.path} ${first.message}`
    : first
      ? `the body ${first.message}`
      : 'the request is not valid';
  return new Failure('bad_request', message, details);
}
