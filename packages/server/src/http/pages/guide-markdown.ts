import { Marked, type Token, type Tokens } from 'marked';
import type { Document } from '../documents.ts';

// Renders the Markdown of docs/ as HTML with anchors, and searches its sections.
export interface Guide {
  path: string;
  title: string;
  html: string;
  sections: readonly Section[];
}

interface Section {
  id: string;
  heading: string;
  searched: string;
}

/** Blocks with a copy button, by their language. */
const COPIED: Readonly<Record<string, string>> = { sh: 'command', json: 'JSON', html: 'HTML' };
/** A line to paste, with the address of the service in it. */
const LINE = /^(?:claude|codex|curl|node|npm|\{) .*:\/\//;

export function renderGuide({ name, title, bytes }: Document, served: ReadonlySet<string>): Guide {
  const source = Buffer.from(bytes).toString('utf8');
  const marked = new Marked({ async: false });
  const target = (href: string): string | null => targetOf(name, href, served);
  const anchors = newAnchors();
  const sections = [{ id: '', heading: title, text: '' }];
  let tables = 0;
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const id = anchors(plain(tokens));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const [to, text] = [target(href), this.parser.parseInline(tokens)];
        return to === null ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      table(
        this: { parser: { parseInline: (tokens: Token[]) => string } },
        { header, rows }: Tokens.Table,
      ): string {
        const row = (cells: Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        const name = `Table ${++tables}: ${header.map(({ tokens }) => plain(tokens)).join(', ')}`;
        return `<div class="scrolls" tabindex="0" role="region" aria-label="${escaped(name)}"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const copied = COPIED[lang.split(' ')[0]!];
        return `<pre tabindex="0"><code${copied ? ` data-copy="${copied}"` : ''}>${escaped(text)}</code></pre>\n`;
      },
      codespan({ text }: Tokens.Codespan): string {
        const copied = LINE.test(text) && COPIED[text.startsWith('{') ? 'json' : 'sh'];
        return `<code${copied ? ` data-copy="${copied}"` : ''}>${escaped(text)}</code>`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return text
          .replaceAll(/<!--[^]*?-->/g, '')
          .replaceAll(/\b(src|srcset)="([^"]+)"/g, (all, attribute: string, href: string) => {
            const to = target(href);
            return to === null ? all : `${attribute}="${escaped(to)}"`;
          });
      },
    },
  });
  const tokens = marked.lexer(source);
  const ids = newAnchors();
  for (const token of tokens)
    if (token.type === 'heading') {
      const heading = plain((token as Tokens.Heading).tokens);
      sections.push({ id: ids(heading), heading, text: '' });
    } else sections.at(-1)!.text += `${token.raw.replaceAll(/\]\([^)]*\)|[[\]`*|]/g, ' ')} `;
  const path = name.replace(/\.md$/, '');
  return {
    path,
    title,
    html: marked.parser(tokens),
    sections: sections.map(({ id, heading, text }) => ({
      id,
      heading,
      searched: `${title} ${heading} ${text}`.toLowerCase(),
    })),
  };
}

export interface MenuGroup {
  title: string;
  pages: { path: string; title: string }[];
}

/** The groups of docs/README.md, each with the pages that it links, by their titles. */
export function menuOf(index: Document, byName: ReadonlyMap<string, Document>): MenuGroup[] {
  const listed = new Set<string>();
  return Buffer.from(index.bytes)
    .toString('utf8')
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      pages: [...part.matchAll(/\]\(([\w./-]+\.md)\)/g)].flatMap(([, name]) => {
        const page = byName.get(name!);
        if (!page || listed.has(name!)) return [];
        listed.add(name!);
        return [{ path: name!.replace(/\.md$/, ''), title: page.title.split(':')[0]! }];
      }),
    }));
}

export function searchGuides(guides: readonly Guide[], query: string): { guide: Guide; section: Section }[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS_MAX);
  const has = (text: string): boolean => {
    const searched = text.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  const found = guides.flatMap((guide) =>
    guide.sections
      .filter(({ searched }) => words.every((word) => searched.includes(word)))
      .map((section) => ({ guide, section, rank: has(guide.title) ? 0 : has(section.heading) ? 1 : 2 })),
  );
  return found.sort((a, b) => a.rank - b.rank).slice(0, FOUND);
}
const FOUND = 50;
const WORDS_MAX = 8;

function targetOf(page: string, href: string, served: ReadonlySet<string>): string | null {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/docs/${page}`);
  const name = pathname.replace(/^\/docs\//, '');
  if (!pathname.startsWith('/docs/') || !served.has(name)) return null;
  return `/docs/${name.replace(/\.md$/, '')}${hash}`;
}

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

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
