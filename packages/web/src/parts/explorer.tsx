import type { VNode } from 'preact';

export function Explorer({ href }: { href: string | null }): VNode | null {
  return href ? (
    <a class="outside" href={href} rel="noreferrer">
      on an explorer
    </a>
  ) : null;
}
