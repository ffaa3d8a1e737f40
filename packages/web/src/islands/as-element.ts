import type { VNode } from 'preact';

/** The islands' JSX creates DOM nodes (dom-jsx.ts). */
export const asElement = (vnode: VNode): HTMLElement => vnode as unknown as HTMLElement;
