import type { ComponentChildren } from 'preact';

export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>;

interface FactProps {
  label: string;
  value?: ComponentChildren;
  children?: ComponentChildren;
}

/** One `value`, or several parts as children. A fact without a value is left out. */
export function Fact({ label, value, children: shown = value }: FactProps) {
  if (!shown && shown !== 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{shown}</dd>
    </div>
  );
}
