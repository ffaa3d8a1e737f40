import { readWords } from './words.ts';

export const SECTIONS = [
  'Hypothesis',
  'Design',
  'Sample',
  'Analysis',
  'Exclusion rules',
  'Stop rules',
] as const;

export type SectionName = (typeof SECTIONS)[number];

export type Sections = Partial<Record<SectionName, string>>;

const HEADING = /^# (.+?)[ \t\r]*$/;

/**
 * Reads markdown that begins with `# Hypothesis`, also below a list of files
 * (docs/conventions.md#preregistrations).
 * @example
 * readSections('# Hypothesis\nIt rains.\n\n# Design\n'); // { Hypothesis: 'It rains.' }
 */
export function readSections(content: string): Sections | null {
  const words = readWords(content);
  const text = words.kind === 'files' ? words.note : content;
  const sections: Sections = {};
  let name: SectionName | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const title = HEADING.exec(line)?.[1]?.toLowerCase();
    if (at === 0 && title !== 'hypothesis') return null;
    if (title === undefined) {
      if (name) sections[name] = `${sections[name] ?? ''}${line}\n`;
    } else name = SECTIONS.find((one) => one.toLowerCase() === title && sections[one] === undefined);
  }
  for (const one of SECTIONS) {
    const text = sections[one]?.trim();
    if (text) sections[one] = text;
    else delete sections[one];
  }
  return sections;
}

/**
 * @example
 * sectionWords({ Hypothesis: 'It rains.' }).split('\n').slice(0, 4); // ['# Hypothesis', 'It rains.', '', '# Design']
 */
export const sectionWords = (sections: Sections): string =>
  SECTIONS.map((name) => `# ${name}\n${sections[name] ?? ''}\n`).join('\n');

/**
 * The present and missing sections.
 * @example
 * sectionsLine('# Hypothesis\nIt rains.\n\n# Sample\nForty days.'); // 'Hypothesis, Sample; missing: Design, Analysis, Exclusion rules, Stop rules'
 */
export function sectionsLine(content: string): string | null {
  const found = readSections(content);
  if (found === null) return null;
  const [present, missing] = [true, false].map((is) =>
    SECTIONS.filter((name) => (found[name] !== undefined) === is).join(', '),
  );
  return missing === '' ? `${present}` : `${present || 'none'}; missing: ${missing}`;
}
