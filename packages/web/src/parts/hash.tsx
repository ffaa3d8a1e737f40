/** Groups of eight help a reader compare two values. The gaps are margins, so a copy is one piece. */
export function Hash({ value, copy }: { value: string; copy?: string | undefined }) {
  const prefix = value.startsWith('0x') ? '0x' : '';
  const groups = value.slice(prefix.length).match(/.{1,8}/gsu) ?? [];
  return (
    <code class="hash" {...(copy ? { 'data-copy': copy } : {})}>
      {groups.map((group, index) => (
        <span>{index === 0 ? prefix + group : group}</span>
      ))}
    </code>
  );
}

export const shortHash = (value: string): string => `${value.slice(0, 8)}…${value.slice(-6)}`;

export function Explorer({ href }: { href: string | null }) {
  return href ? (
    <a class="outside" href={href} rel="noreferrer">
      on an explorer
    </a>
  ) : null;
}
