import type { ComponentChildren, VNode } from 'preact';
import { Block } from './values.tsx';

type Template = [strings: TemplateStringsArray, ...values: ComponentChildren[]];

/**
 * A sentence of ours as Markdown: **strong**, *emphasis*, [link](/address), and ~code~, because a backtick ends a
 * template. A value is shown as it is.
 */
export const say = (...[strings, ...values]: Template): VNode => (
  <>{inline(joined(strings).replace(/^\n\s*|\n\s*$/g, ''), values)}</>
);

/** Paragraphs, lists of `- items`, lines of `| code`, and headings: `## id: The heading`. */
export const prose = (...[strings, ...values]: Template): VNode => (
  <>
    {joined(strings)
      .trim()
      .split(/\n\s*\n/)
      .map((block) => blockOf(block.trim(), values))}
  </>
);

/** Stands for a value; no text of ours contains it. */
const VALUE = '\ue000';

const joined = (strings: TemplateStringsArray): string =>
  strings.reduce((text, next, at) => `${text}${VALUE}${at - 1}${VALUE}${next}`);

function blockOf(block: string, values: ComponentChildren[]): VNode {
  const [, id, heading] = /^## (?:([a-z-]+): )?(.*)$/s.exec(block) ?? [];
  if (heading !== undefined) return <h2 id={id}>{inline(heading, values)}</h2>;
  if (block.startsWith('| '))
    return <Block>{filled(block.slice(2), values).replaceAll(/\n\s*\| /g, '\n')}</Block>;
  if (!block.startsWith('- ')) return <p>{inline(block, values)}</p>;
  const items = block.slice(2).split(/\n\s*- /);
  return (
    <ul>
      {items.map((item) => (
        <li>{inline(item, values)}</li>
      ))}
    </ul>
  );
}

const MARKS = /\ue000(\d+)\ue000|~([^~]+)~|\*\*(.+?)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/s;

function inline(text: string, values: ComponentChildren[]): ComponentChildren {
  const found = MARKS.exec(text);
  if (found === null) return text.replace(/\s+/g, ' ');
  const [mark, value, code, strong, emphasis, link, href] = found;
  const of = (part: string): ComponentChildren => inline(part, values);
  return [
    of(text.slice(0, found.index)),
    value !== undefined && values[Number(value)],
    code && <code>{of(code)}</code>,
    strong && <strong>{of(strong)}</strong>,
    emphasis && <em>{of(emphasis)}</em>,
    link && <a href={filled(href!, values)}>{of(link)}</a>,
    of(text.slice(found.index + mark.length)),
  ];
}

const filled = (address: string, values: ComponentChildren[]): string =>
  address.replaceAll(/\ue000(\d+)\ue000/g, (_, at) => `${values[Number(at)] as string | number}`);
