import { expect, test } from 'vitest';
import { read } from '../../testing/repository.ts';
import { UNCHECKED, WORD_OF_THE_SERVICE } from '../../testing/system/unchecked-fields.ts';

const [, section = ''] = read('docs/threat-model.md').split('## Fields that a client cannot check');
const [table = '', after = ''] = section
  .split('\n## ')[0]!
  .split('The whole answer is the word of the service');
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test('the threat model lists the fields that no client can check', () => {
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, of]) => of !== 'answer' && !/^-+$/.test(of!));
  expect(rows.map(([, of, fields]) => ({ of: of!.replaceAll('`', ''), fields: quoted(fields!) }))).toEqual(
    UNCHECKED,
  );
});

test('the threat model lists the operations whose answers no client can check', () => {
  expect(quoted(after.split('\n\n')[0]!)).toEqual(WORD_OF_THE_SERVICE);
});
