import type { ComponentChildren, VNode } from 'preact';
import { Block } from './values.tsx';

type Template = [strings: TemplateStringsArray, ...values: ComponentChildren[]];

/** Shows a parsed text with the values of one rendering. */
type Show = (values: ComponentChildren[]) => ComponentChildren;

/**
 * A sentence of ours as Markdown: **strong**, *emphasis*, [link](/address), and ~code~, because a backtick ends a
 * template. A value is shown as it is.
 */
export const say = (...[strings, ...values]: Template): VNode => (
  <>{parsed(strings, (text) => inline(text.replace(/^\n\s*|\n\s*$/g, '')))(values)}</>
);

/** Paragraphs, lists of `- items`, lines of `| code`, and headings: `## id: The heading`. */
export const prose = (...[strings, ...values]: Template): VNode => <>{parsed(strings, blocks)(values)}</>;

/** JavaScript gives each template of the source one array of strings. */
const kept = new WeakMap<TemplateStringsArray, Show>();

/** Each text is parsed once. */
function parsed(strings: TemplateStringsArray, parse: (text: string) => Show): Show {
  const known = kept.get(strings);
  if (known !== undefined) return known;
  const show = parse(strings.reduce((text, next, at) => `${text}${VALUE}${at - 1}${VALUE}${next}`));
  kept.set(strings, show);
  return show;
}

/** Marks the place of a value; no text of ours contains it. */
const VALUE = '\ue000';

const inOrder =
  (shows: Show[]): Show =>
  (values) =>
    shows.map((show) => show(values));

const blocks = (text: string): Show =>
  inOrder(
    text
      .trim()
      .split(/\n\s*\n/)
      .map((part) => block(part.trim())),
  );

function block(text: string): Show {
  const [, id, heading] = /^## (?:([a-z-]+): )?(.*)$/s.exec(text) ?? [];
  if (heading !== undefined) {
    const words = inline(heading);
    return (values) => <h2 id={id}>{words(values)}</h2>;
  }
  if (text.startsWith('| '))
    return (values) => <Block>{filled(text.slice(2), values).replaceAll(/\n\s*\| /g, '\n')}</Block>;
  if (!text.startsWith('- ')) {
    const words = inline(text);
    return (values) => <p>{words(values)}</p>;
  }
  const items = text
    .slice(2)
    .split(/\n\s*- /)
    .map(inline);
  return (values) => (
    <ul>
      {items.map((item) => (
        <li>{item(values)}</li>
      ))}
    </ul>
  );
}

const MARKS = /\ue000(\d+)\ue000|~([^~]+)~|\*\*(.+?)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/s;

function inline(text: string): Show {
  const found = MARKS.exec(text);
  if (found === null) {
    const words = text.replace(/\s+/g, ' ');
    return () => words;
  }
  const [mark, value, code, strong, emphasis, link, href] = found;
  const within = inline(code ?? strong ?? emphasis ?? link ?? '');
  const marked: Show = (values) => {
    if (value !== undefined) return values[Number(value)];
    if (code !== undefined) return <code>{within(values)}</code>;
    if (strong !== undefined) return <strong>{within(values)}</strong>;
    if (emphasis !== undefined) return <em>{within(values)}</em>;
    return <a href={filled(href!, values)}>{within(values)}</a>;
  };
  return inOrder([inline(text.slice(0, found.index)), marked, inline(text.slice(found.index + mark.length))]);
}

const filled = (address: string, values: ComponentChildren[]): string =>
  address.replaceAll(/\ue000(\d+)\ue000/g, (_, at) => `${values[Number(at)] as string | number}`);
