import type { VNode } from 'preact';
import { stretches } from '../inert.ts';

/**
 * A stranger's text: isolated from the text around it, with what cannot be seen spelled out. As markup made here: one
 * text may hold 2,000 such characters and a page a hundred texts, too many for a node each.
 */
export function Text({ children }: { children: string }): VNode {
  return <bdi dangerouslySetInnerHTML={{ __html: textMarkup(children) }} />;
}

const textMarkup = (text: string): string =>
  stretches(text)
    .map((stretch) =>
      stretch.unseen ? `<span class="unseen">${stretch.text}</span>` : escaped(stretch.text),
    )
    .join('');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

/** As the renderer escapes a text. */
const escaped = (text: string): string => text.replace(/[&<"]/g, (sign) => ESCAPES[sign]!);
