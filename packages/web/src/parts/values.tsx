import type { ComponentChildren } from 'preact';
import { QUICKNET } from '@svc/protocol/timelock';
import { splitInvisible } from '../safe-text.ts';
import { safeUrl, timeText, utcDayText } from '../format.ts';
import { UNTRANSLATED } from '../untranslated.ts';

/**
 * A stranger's text: isolated, invisible characters spelled out. As markup, because a page may have too many
 * characters for a node each.
 */
export const safe = (text: string) => <bdi dangerouslySetInnerHTML={{ __html: textMarkup(text) }} />;

export const safeLink = (href: string, text: string) => <a href={href}>{safe(text)}</a>;

/** A block that scrolls needs a `tabindex`. `copy` names what its button copies (islands/copy.ts). */
type BlockProps = { tabindex?: 0; copy?: string; children: ComponentChildren };

export const Block = ({ tabindex, copy, children }: BlockProps) => (
  <pre tabindex={tabindex}>
    <code data-copy={copy}>{children}</code>
  </pre>
);

const textMarkup = (text: string): string =>
  splitInvisible(text)
    .map((run) => (run.invisible ? `<span class="unseen">${run.text}</span>` : escaped(run.text)))
    .join('');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<"]/g, (sign) => ESCAPES[sign]!);

/** The same as DOM nodes. */
export function TextNodes({ children }: { children: string }) {
  return (
    <bdi>
      {splitInvisible(children).map(({ text, invisible }) =>
        invisible ? <span class="unseen">{text}</span> : text,
      )}
    </bdi>
  );
}

export const atTime = (time: string, precision?: 'minutes' | 'seconds' | 'exact') => (
  <time datetime={time}>{timeText(time, precision)}</time>
);

/** A time of something that happened: times.ts never shows it as still ahead. */
export const pastTime = (time: string) => (
  <time datetime={time} data-past="">
    {timeText(time)}
  </time>
);

/** The times in a sentence of the service as elements, which times.ts shows in the reader's time. */
export const withTimes = (sentence: string) =>
  sentence
    .split(/(\d+ [A-Z]\w+ \d{4}, [\d:]+ UTC)/)
    .map((part, at) => (at % 2 === 1 ? timeElement(part) : part));

/** A browser that cannot read our form of a time keeps the text. */
function timeElement(text: string): ComponentChildren {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : <time datetime={new Date(time).toISOString()}>{text}</time>;
}

/** The day of a time, which times.ts shows as the reader's own. A day alone stays a day in UTC. */
export const onDay = (time: string) => <time datetime={time}>{utcDayText(time)}</time>;

/** Groups of eight help a reader compare two values. The gaps are margins, so a copy is one piece. */
export function fullHash(value: string, copy?: string) {
  const prefix = value.startsWith('0x') ? '0x' : '';
  const groups = value.slice(prefix.length).match(/.{1,8}/gsu) ?? [];
  return (
    <code class="hash" {...UNTRANSLATED} {...(copy ? { 'data-copy': copy } : {})}>
      {groups.map((group, index) => (
        <span>{index === 0 ? prefix + group : group}</span>
      ))}
    </code>
  );
}

export const shortHash = (value: string): string => `${value.slice(0, 8)}…${value.slice(-6)}`;

export const explorer = (href: string | null) =>
  href && (
    <a class="outside" href={href} rel="noreferrer">
      on an explorer
    </a>
  );

type Row = readonly [label: string, ...value: ComponentChildren[]];

/** Labels with their values. A row without a first value is left out. */
export const facts = (...rows: readonly (Row | false | '' | null | undefined)[]) => (
  <dl class="facts">
    {rows.map((row) => {
      const [label, first, ...more] = row || [];
      return (
        (first || first === 0) && (
          <div>
            <dt>{label}</dt>
            <dd>
              {first}
              {more}
            </dd>
          </div>
        )
      );
    })}
  </dl>
);

/** A stranger's address. */
export const outsideLink = (url: string) => (
  <a href={url} rel="nofollow noreferrer ugc">
    {safe(url)}
  </a>
);

/** A source is a text that may name an address. */
export const sourceLink = (source: string) =>
  source
    .split(/(https?:\/\/\S+)/)
    .map((part, at) => (at % 2 === 1 && safeUrl(part) !== null ? outsideLink(part) : safe(part)));

/** ` nights`, after a number. */
export const Unit = ({ of }: { of: string | null }) => (of === null ? null : [' ', safe(of)]);

/** A one-letter search must not mark everything. */
const MOST = 20;

export function hits(of: string, hit: string | undefined) {
  const parts = hit === undefined ? [] : split(of, hit);
  if (parts.length < 2) return safe(of);
  return (
    <bdi>
      {parts.map((part, index) => (index % 2 === 1 ? <mark>{safe(part)}</mark> : part !== '' && safe(part)))}
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
    <code class="exact" {...UNTRANSLATED}>
      {safe(children)}
    </code>
  </details>
);

export const roundOf = (round: number, chain: string) => [
  `round ${round} of the drand chain `,
  chain === QUICKNET.hash ? 'quicknet' : <code>{chain}</code>,
];

export const lines = (of: readonly ComponentChildren[], kind: 'proven' | 'not-proven') => (
  <ul class={kind}>
    {of.map((line) => (
      <li>{typeof line === 'string' ? withTimes(line) : line}</li>
    ))}
  </ul>
);
