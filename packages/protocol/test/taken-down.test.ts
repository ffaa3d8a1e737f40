import {
  descriptionTakenDown,
  isQuestionTakenDown,
  isDescriptionTakenDown,
  questionTakenDown,
} from '@svc/protocol';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

interface Case {
  name: string;
  text: string;
  taken_down: boolean;
}
const { descriptions, questions } = readVector('valid/taken-down') as Record<
  'descriptions' | 'questions',
  Case[]
>;

test.each(descriptions)('a description: $name', ({ text, taken_down }) => {
  expect(isDescriptionTakenDown(text)).toBe(taken_down);
});

test.each(questions)('a question: $name', ({ text, taken_down }) => {
  expect(isQuestionTakenDown(text)).toBe(taken_down);
});

test('recognizes what the service writes', () => {
  const id = 'ba2700ee-b11f-45fe-a934-06098975d379';
  for (const text of [
    'Ada',
    'Will Ada win? [yes|no]',
    `svc-resolution:v1 ${id}`,
    `svc-resolution:v1 ${id} Ada`,
  ])
    expect(isDescriptionTakenDown(descriptionTakenDown(text))).toBe(true);
  const levels = Array.from({ length: 90 }, (_, at) => at + 1).join(' ');
  for (const end of ['', ' [yes|no]', ' [ YES|No ]\t', ' [number: mm]', ` [number: mm; ${levels}]`]) {
    const question = questionTakenDown(`Will Ada win?${end}`);
    expect(question).not.toContain('Ada');
    expect(isQuestionTakenDown(question)).toBe(true);
    expect(isDescriptionTakenDown([...`Sealed answer to: ${question}`].slice(0, 140).join(''))).toBe(true);
  }
});
