import type { ComponentChildren } from 'preact';

/** In their own file because the islands need only these. */
export const SIGNS = {
  pass: 'M4 10.5l4 4 8-9',
  fail: 'M5 5l10 10M15 5L5 15',
  wait: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4.2l2.8 1.8',
  info: 'M10 9v6M10 5.2v.6',
  warn: 'M10 3l7.5 13.5h-15zM10 8v4M10 14v.3',
} as const;

export function Sign({ d }: { d: string }) {
  return (
    <svg class="glyph" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={d} />
    </svg>
  );
}

/** `plain`: inside a note. */
export function Warning({ plain, children }: { plain?: boolean; children: ComponentChildren }) {
  return (
    <p class={plain ? undefined : 'note'}>
      <Sign d={SIGNS.warn} /> <span>{children}</span>
    </p>
  );
}

/** A verdict in one line: each tone has a different border, so that color is never the only difference. */
export const verdictLine = (
  tone: string,
  sign: keyof typeof SIGNS,
  content: ComponentChildren,
  data = tone,
) => (
  <p class={`overall ${tone}`} data-overall={data}>
    <Sign d={SIGNS[sign]} />
    <span>{content}</span>
  </p>
);
