import { type Token, type Tokens, marked } from 'marked';
import type { Document } from '../documents.ts';

// Divides a guide into sections, and a long guide into parts with a page each. A part begins with a heading.

interface Section {
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

/** The heading above a part that begins inside a section. */
export const headingAbove = (parts: readonly Part[], part: Part): string | undefined =>
  part.sections[0]!.depth > 2
    ? parts
        .slice(0, parts.indexOf(part))
        .flatMap(({ sections }) => sections)
        .findLast(({ depth }) => depth === 2)?.heading
    : undefined;

/** Characters of text. A page of this length has about 22 kB with its style, compressed; the limit is 25 kB. */
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

/** Fills each part with blocks as far as they fit. */
function divide(document: Document): Part[] {
  const path = document.name.replace(/\.md$/, '');
  const parts: Part[] = [{ path, sections: [] }];
  for (const block of blocksAt(2, sectionsOf(document))) {
    const { sections } = parts.at(-1)!;
    if (sections.length > 0 && lengthOf([...sections, ...block]) > PART_MAX)
      parts.push({ path: `${path}/${block[0]!.id}`, sections: [] });
    parts.at(-1)!.sections.push(...block);
  }
  return parts;
}

/** Begins a block at each heading of the depth, and divides a block that is too long for a part at the next depth. */
function blocksAt(depth: number, sections: readonly Section[]): Section[][] {
  const blocks: Section[][] = [[]];
  for (const section of sections)
    if (section.depth === depth) blocks.push([section]);
    else blocks.at(-1)!.push(section);
  return blocks.flatMap((block) =>
    depth < 3 && lengthOf(block) > PART_MAX ? blocksAt(depth + 1, block) : [block],
  );
}

const lengthOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { text }) => sum + text.length, 0);

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
