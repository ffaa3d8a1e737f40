import { type Token, type Tokens, marked } from 'marked';
import type { Document } from '../documents.ts';

// Divides a guide into sections, and a long guide into parts with a page each. A part begins with a section.

export interface Section {
  /** the anchor of its heading; empty before the first heading */
  id: string;
  heading: string;
  depth: number;
  /** for the search: in lower case, without links */
  text: string;
  tokens: Token[];
}

export interface Part {
  /** below /docs/ */
  path: string;
  sections: Section[];
}

/** Characters of text. A page of this length has about 20 kB with its style, compressed; its limit is 25 kB. */
const PART_MAX = 28_000;

const divided = new WeakMap<Document, readonly Part[]>();

export function partsOf(document: Document): readonly Part[] {
  const parts = divided.get(document) ?? divide(document);
  divided.set(document, parts);
  return parts;
}

/** The page that has the section: the first page if no section has the id. */
export const pathOf = (document: Document, id: string): string => {
  const parts = partsOf(document);
  return (parts.find(({ sections }) => sections.some((section) => section.id === id)) ?? parts[0]!).path;
};

function divide(document: Document): Part[] {
  const path = document.name.replace(/\.md$/, '');
  const sections = sectionsOf(document);
  const length = sections.reduce((sum, { text }) => sum + text.length, 0);
  const target = length / Math.ceil(length / PART_MAX);
  const parts: Part[] = [];
  let before = 0;
  for (const section of sections) {
    if (section.depth <= 3 && before >= target * parts.length)
      parts.push({ path: parts.length === 0 ? path : `${path}/${section.id}`, sections: [] });
    parts.at(-1)!.sections.push(section);
    before += section.text.length;
  }
  return parts;
}

function sectionsOf({ bytes, title }: Document): Section[] {
  const sections: Section[] = [{ id: '', heading: title, depth: 0, text: '', tokens: [] }];
  const anchors = newAnchors();
  for (const token of marked.lexer(Buffer.from(bytes).toString('utf8'))) {
    if (token.type === 'heading') {
      const { tokens, depth } = token as Tokens.Heading;
      const heading = plain(tokens);
      sections.push({ id: anchors(heading), heading, depth, text: '', tokens: [] });
    }
    const section = sections.at(-1)!;
    section.tokens.push(token);
    if (token.type !== 'heading') section.text += textOf(token);
  }
  return sections;
}

const textOf = ({ raw }: Token): string =>
  `${raw
    .replaceAll(/\]\([^)]*\)|[[\]`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()} `;

function newAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}

export const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
