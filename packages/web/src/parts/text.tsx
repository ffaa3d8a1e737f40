import type { ComponentChildren } from 'preact';
import { stretches } from '../inert.ts';

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

/** `Text` (text.tsx) as DOM nodes. */
export function TextNodes({ children }: { children: string }) {
  return (
    <bdi>
      {stretches(children).map(({ text, unseen }) => (unseen ? <span class="unseen">{text}</span> : text))}
    </bdi>
  );
}
