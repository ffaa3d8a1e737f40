import { describe, expect, test } from 'vitest';
import {
  readSections,
  SECTIONS,
  sectionsLine,
  sectionWords,
  TEMPLATES,
} from '../../src/conventions/index.ts';

describe('the sections of a preregistration', () => {
  test('are all in the template', () => {
    expect(Object.keys(readSections(TEMPLATES.preregistration)!)).toEqual([...SECTIONS]);
    expect(sectionsLine(TEMPLATES.preregistration)).toBe(SECTIONS.join(', '));
  });

  test('come back from their words', () => {
    const sections = Object.fromEntries(SECTIONS.map((name) => [name, `About ${name}\n\n## more`]));
    expect(readSections(sectionWords(sections))).toEqual(sections);
  });

  test('are missing without a text, in any case of the heading, and count once', () => {
    const content = '# HYPOTHESIS\r\nIt rains.\r\n# design\n \n# Sample\none\n# Sample\ntwo\n# Notes\nx';
    expect(readSections(content)).toEqual({ Hypothesis: 'It rains.', Sample: 'one' });
    expect(sectionsLine(content)).toBe(
      'Hypothesis, Sample; missing: Design, Analysis, Exclusion rules, Stop rules',
    );
    expect(sectionsLine(`svc-files:v1 root=${'ab'.repeat(32)} files=3\n${content}`)).toBe(
      sectionsLine(content),
    );
    expect(sectionsLine('# Hypothesis')).toBe(`none; missing: ${SECTIONS.join(', ')}`);
  });

  test('are read only of a text that begins with the hypothesis', () => {
    for (const content of ['It rains.', ' # Hypothesis\nx', '# Design\nx', '## Hypothesis\nx', ''])
      expect(sectionsLine(content), content).toBeNull();
  });
});
