import type { VNode } from 'preact';

/** A link to a chain explorer, if one is set. */
export function Explorer({ href }: { href: string | null }): VNode | null {
  return href ? (
    <a class="outside" href={href} rel="noreferrer">
      on an explorer
    </a>
  ) : null;
}
