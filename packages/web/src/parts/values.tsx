import type { ComponentChildren } from 'preact';
import { stretches } from '../inert.ts';
import { dayText, timeText } from '../format.ts';

/**
 * A stranger's text: isolated, unseen characters spelled out. As markup, because a page may have too many
 * characters for a node each.
 */
export function Text({ children }: { children: string }) {
  return <bdi dangerouslySetInnerHTML={{ __html: textMarkup(children) }} />;
}

export const TextLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href}>
    <Text>{children}</Text>
  </a>
);

/** A block that scrolls needs a `tabindex`. */
export const Block = ({ tabindex, children }: { tabindex?: 0; children: ComponentChildren }) => (
  <pre tabindex={tabindex}>
    <code>{children}</code>
  </pre>
);

const textMarkup = (text: string): string =>
  stretches(text)
    .map((stretch) =>
      stretch.unseen ? `<span class="unseen">${stretch.text}</span>` : escaped(stretch.text),
    )
    .join('');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<"]/g, (sign) => ESCAPES[sign]!);

/** `Text` as DOM nodes. */
export function TextNodes({ children }: { children: string }) {
  return (
    <bdi>
      {stretches(children).map(({ text, unseen }) => (unseen ? <span class="unseen">{text}</span> : text))}
    </bdi>
  );
}

export function Time({ at, precision }: { at: string; precision?: 'minutes' | 'seconds' | 'exact' }) {
  return <time datetime={at}>{timeText(at, precision)}</time>;
}

export function Day({ at }: { at: string }) {
  return <time datetime={at}>{dayText(at)}</time>;
}

/** Groups of eight help a reader compare two values. The gaps are margins, so a copy is one piece. */
export function Hash({ value, copy }: { value: string; copy?: string | undefined }) {
  const prefix = value.startsWith('0x') ? '0x' : '';
  const groups = value.slice(prefix.length).match(/.{1,8}/gsu) ?? [];
  return (
    <code class="hash" {...(copy ? { 'data-copy': copy } : {})}>
      {groups.map((group, index) => (
        <span>{index === 0 ? prefix + group : group}</span>
      ))}
    </code>
  );
}

export const shortHash = (value: string): string => `${value.slice(0, 8)}…${value.slice(-6)}`;

export function Explorer({ href }: { href: string | null }) {
  return href ? (
    <a class="outside" href={href} rel="noreferrer">
      on an explorer
    </a>
  ) : null;
}

export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>;

interface FactProps {
  label: string;
  value?: ComponentChildren;
  children?: ComponentChildren;
}

/** One `value`, or several parts as children. A fact without a value is left out. */
export function Fact({ label, value, children: shown = value }: FactProps) {
  if (!shown && shown !== 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{shown}</dd>
    </div>
  );
}

/** ` nights`, after a number. */
export const Unit = ({ of }: { of: string | null }) => (of === null ? null : [' ', <Text>{of}</Text>]);

/** A one-letter search must not mark everything. */
const MOST = 20;

export function Hits({ of, hit }: { of: string; hit: string | undefined }) {
  const parts = hit === undefined ? [] : split(of, hit);
  if (parts.length < 2) return <Text>{of}</Text>;
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <mark>
            <Text>{part}</Text>
          </mark>
        ) : (
          part !== '' && <Text>{part}</Text>
        ),
      )}
    </bdi>
  );
}

function split(text: string, hit: string): string[] {
  const [where, what] = [text.toLowerCase(), hit.toLowerCase()];
  // Some letters become two in lower case.
  if (what === '' || where.length !== text.length) return [];
  const parts: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0 && parts.length < 2 * MOST; at = where.indexOf(what, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + what.length));
    from = at + what.length;
  }
  return [...parts, text.slice(from)];
}

/** A text to the byte, folded. */
export const Exact = ({ summary, children }: { summary: string; children: string }) => (
  <details>
    <summary>{summary}</summary>
    <code class="exact">
      <Text>{children}</Text>
    </code>
  </details>
);
