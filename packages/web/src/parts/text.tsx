import type { VNode } from 'preact';
import { stretches } from '../inert.ts';

/** A stranger's text: isolated from the text around it, with what cannot be seen spelled out. */
export function Text({ children }: { children: string }): VNode {
  return (
    <bdi>
      {stretches(children).map(({ text, unseen }) => (unseen ? <span class="unseen">{text}</span> : text))}
    </bdi>
  );
}
