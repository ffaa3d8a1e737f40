import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, read, root, trackedFiles } from '../../testing/repository.ts';

const CITATION = /(?<![\w./-])((?:docs\/[\w./-]+|[A-Z][A-Z_]+)\.md)(?:#([\w-]+))?/g;
const LINK = /\]\((?!\w+:)([\w./-]+\.md)?(?:#([\w-]+))?\)/g;
/** `docs/x.md, "Heading"` */
const IN_WORDS = /(?<![\w./-])(docs\/[\w/-]+\.md), "([^"]+)"/g;
/** No reader can resolve these. */
const LOOSE = /\w\.md(?:#[\w-]+)?`?\)?,? (?:§|sections? \d|"[A-Z\d])/i;

/** These may cite sections of docs/protocol.md by number. */
const BY_NUMBER = ['docs/protocol.md', 'docs/verify_receipt.mjs', 'docs/verify_receipt.py'];
const SECTIONS = /\bsections?\s+(\d+(?:\.\d+)?(?:(?:,|,? and| to)\s+\d+(?:\.\d+)?)*)/gi;
const isSection = (page: string, number: string): boolean =>
  page.includes(number.includes('.') ? `\n### ${number} ` : `\n## ${number}. `);

/** A vector stays byte for byte. */
const KEPT_AS_IT_IS = ['vectors/valid/worked-examples.json'];

const anchors = new Map<string, string[]>();

function fault(page: string, heading: string | undefined): string | undefined {
  if (!existsSync(join(root, page))) return 'is not in the repository';
  if (heading === undefined) return undefined;
  if (!anchors.has(page)) anchors.set(page, anchorsOf(read(page)));
  return anchors.get(page)!.includes(heading) ? undefined : `has no heading #${heading}`;
}

function faultsOf(file: string, text: string): string[] {
  const cited = [...text.matchAll(CITATION)].map(([, page, heading]) => [page!, heading] as const);
  const linked = file.endsWith('.md')
    ? [...text.matchAll(LINK)].map(
        ([, page, heading]) => [page ? normalize(join(dirname(file), page)) : file, heading] as const,
      )
    : [];
  const inWords = [...text.matchAll(IN_WORDS)].filter(
    ([, page, heading]) => existsSync(join(root, page!)) && !read(page!).includes(`# ${heading}\n`),
  );
  const loose = text.split('\n').filter((line) => LOOSE.test(line.replaceAll(IN_WORDS, '')));
  const numbers = BY_NUMBER.includes(file)
    ? [...text.matchAll(SECTIONS)].flatMap(([, some]) => some!.match(/\d+(?:\.\d+)?/g)!)
    : [];
  return [
    ...[...cited, ...linked].flatMap(([page, heading]) => {
      const wrong = fault(page, heading);
      return wrong === undefined ? [] : [`${file}: ${page} ${wrong}`];
    }),
    ...inWords.map(([, page, heading]) => `${file}: ${page} has no heading "${heading}"`),
    ...loose.map((line) => `${file}: cites by no heading: ${line.trim()}`),
    ...numbers
      .filter((number) => !isSection(read('docs/protocol.md'), number))
      .map((number) => `${file}: docs/protocol.md has no section ${number}`),
  ];
}

const texts = trackedFiles().filter(
  (file) =>
    !/\.(?:png|ico|woff2?|ttf|gz|pdf)$/.test(file) &&
    file !== 'package-lock.json' &&
    existsSync(join(root, file)),
);

describe('citations', () => {
  test('lead to an existing page and heading', () => {
    expect(texts.length).toBeGreaterThan(1000);
    const found = texts
      .filter((file) => !KEPT_AS_IT_IS.includes(file) && file !== 'docs/test/citations.test.ts')
      .flatMap((file) => faultsOf(file, read(file)));
    expect([...new Set(found)]).toEqual([]);
  });

  test.each(BY_NUMBER)('%s cites sections by number', (file) => {
    expect([...read(file).matchAll(SECTIONS)].length).toBeGreaterThan(5);
  });

  test('cite the specification often', () => {
    const cites = texts.filter((file) => /docs\/specification\.md#/.test(read(file)));
    expect(cites.length).toBeGreaterThan(40);
  });

  test.each([
    ['a page that is not there', '// see docs/absent.md', 'is not in the repository'],
    ['a page beside the repository', '/** Hashes (NOWHERE.md). */', 'is not in the repository'],
    ['a heading that is not there', '(docs/protocol.md#11-nothing)', 'has no heading'],
    ['a section by its number', '(docs/protocol.md §10)', 'cites by no heading'],
    ['a section in words', '(docs/protocol.md "A database older")', 'cites by no heading'],
    ['a numbered section in words', '(docs/protocol.md "13. Evidence")', 'cites by no heading'],
    ['a section by its number, with a comma', '(docs/protocol.md, section 6)', 'cites by no heading'],
    ['sections by their numbers', '(`docs/protocol.md`, sections 5 and 6)', 'cites by no heading'],
    ['a heading in words of a page at the root', '(SECURITY.md, "Scope")', 'cites by no heading'],
    ['a section that is not there', 'as in section 99', 'has no section 99'],
    ['a subsection that is not there', 'as in section 4.99', 'has no section 4.99'],
    ['one of several sections that is not there', '(sections 5, 6 and 77)', 'has no section 77'],
    ['a heading in words', '(docs/protocol.md, "No such heading")', 'has no heading'],
    ['a link from a page', '[x](absent.md#y)', 'is not in the repository'],
    ['a link within a page', '[x](#absent)', 'has no heading'],
  ])('%s is found', (_what, text, wrong) => {
    expect(faultsOf('docs/protocol.md', text)).toEqual([expect.stringContaining(wrong)]);
  });

  test('no two headings of the specification have one name', () => {
    const names = anchorsOf(read('docs/specification.md'));
    expect(names.filter((name) => /-\d$/.test(name) && names.includes(name.slice(0, -2)))).toEqual([]);
    expect(names).toContain('post-etches');
  });
});
