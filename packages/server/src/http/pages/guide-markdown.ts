import { Marked, type Token, type Tokens } from 'marked';
import type { Document } from '../documents.ts';
import { type Part, partsOf, pathOf, plain } from './guide-parts.ts';

// Renders the Markdown of docs/ as HTML with anchors, and searches its sections.

type Documents = ReadonlyMap<string, Document>;

/** Blocks with a copy button, by their language. */
const COPIED: Readonly<Record<string, string>> = { sh: 'command', json: 'JSON', html: 'HTML' };
/** A line to paste, with the address of the service in it. */
const LINE = /^(?:claude|codex|curl|node|npm|\{) .*:\/\//;

/** @returns the HTML of one page, without its title */
export function renderPart(document: Document, part: Part, documents: Documents): string {
  const marked = new Marked({ async: false });
  const target = (href: string): string | null => targetOf(document, href, documents);
  const ids = new Map<unknown, string>(part.sections.map(({ id, tokens }) => [tokens[0], id]));
  let tables = 0;
  marked.use({
    renderer: {
      heading(token: Tokens.Heading): string {
        if (token.depth === 1) return '';
        const id = ids.get(token) ?? '';
        return `<h${token.depth}${id && ` id="${id}"`}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
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
        return `<pre tabindex="0"${lang === 'text' ? ' class="wraps"' : ''}><code${copied ? ` data-copy="${copied}"` : ''}>${escaped(text)}</code></pre>\n`;
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
  return marked.parser(part.sections.flatMap(({ tokens }) => tokens));
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

export interface GuideHit {
  title: string;
  heading: string;
  href: string;
}

export function searchGuides(documents: readonly Document[], query: string): GuideHit[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS_MAX);
  const has = (searched: string): boolean => words.every((word) => searched.includes(word));
  const found = documents.flatMap((document) => {
    const title = document.title.toLowerCase();
    return partsOf(document).flatMap(({ path, sections }) =>
      sections
        .filter(({ heading, text }) => has(`${title} ${heading.toLowerCase()} ${text}`))
        .map(({ id, heading }) => ({
          title: document.title,
          heading,
          href: `/docs/${path}${heading === document.title ? '' : `#${id}`}`,
          rank: has(title) ? 0 : has(heading.toLowerCase()) ? 1 : 2,
        })),
    );
  });
  return found.sort((a, b) => a.rank - b.rank).slice(0, FOUND);
}
const FOUND = 50;
const WORDS_MAX = 8;

function targetOf(page: Document, href: string, documents: Documents): string | null {
  if (/^[a-z]+:/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/docs/${page.name}`);
  const to = pathname.startsWith('/docs/') && documents.get(pathname.slice('/docs/'.length));
  if (!to) return null;
  return `/docs/${to.name.endsWith('.md') ? pathOf(to, decodeURIComponent(hash.slice(1))) : to.name}${hash}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
