import type { Etch } from '@svc/contract';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { place } from '../drawn.ts';

/** Cards of etches, which may be rendered in advance (drawn.ts). */
export function cardList<Options>(card: (etch: Etch, options: Options) => VNode) {
  const drawn = new WeakMap<Etch, string>();
  return {
    draw(etch: Etch, options: Options): void {
      drawn.set(etch, renderToString(card(etch, options)));
    },
    list(
      etches: readonly Etch[],
      options: Options,
      { empty, kind = 'cards' }: { empty: string; kind?: string },
    ) {
      if (etches.length === 0) return <p class="empty">{empty}</p>;
      return (
        <ul class={kind}>
          {etches.map((etch) => {
            const html = drawn.get(etch);
            if (html === undefined) return <li>{card(etch, options)}</li>;
            return <li dangerouslySetInnerHTML={{ __html: place(html) }} />;
          })}
        </ul>
      );
    },
  };
}
