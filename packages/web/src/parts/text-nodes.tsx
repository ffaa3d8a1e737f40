import type { VNode } from 'preact';
import { stretches } from '../inert.ts';

/** `Text` (text.tsx) as DOM nodes. */
export function TextNodes({ children }: { children: string }): VNode {
  return (
    <bdi>
      {stretches(children).map(({ text, unseen }) => (unseen ? <span class="unseen">{text}</span> : text))}
    </bdi>
  );
}
