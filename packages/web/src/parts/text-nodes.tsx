import type { VNode } from 'preact';
import { stretches } from '../inert.ts';

/** What `Text` (text.tsx) shows, where a browser draws: node by node, and nothing is read as markup. */
export function TextNodes({ children }: { children: string }): VNode {
  return (
    <bdi>
      {stretches(children).map(({ text, unseen }) => (unseen ? <span class="unseen">{text}</span> : text))}
    </bdi>
  );
}
