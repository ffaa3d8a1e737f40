/** JSX as DOM nodes, so that islands use the server's components without a library. */
type Props = Record<string, unknown> & { children?: unknown };

const SVG = new Set(['svg', 'g', 'path', 'rect', 'text']);

export function jsx(type: string | ((props: Props) => Node), props: Props): Node {
  if (typeof type === 'function') return type(props);
  const element = SVG.has(type)
    ? document.createElementNS('http://www.w3.org/2000/svg', type)
    : document.createElement(type);
  for (const [name, value] of Object.entries(props)) {
    if (name !== 'children' && value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : `${value as string}`);
  }
  append(element, props.children);
  return element;
}

export { jsx as jsxs };

export function Fragment({ children }: Props): Node {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  return fragment;
}

function append(parent: Node & ParentNode, child: unknown): void {
  if (Array.isArray(child)) for (const one of child) append(parent, one);
  else if (child instanceof Node) parent.append(child);
  else if (typeof child === 'string' || typeof child === 'number') parent.append(String(child));
}
