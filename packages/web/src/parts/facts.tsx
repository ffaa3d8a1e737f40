import type { ComponentChildren, VNode } from 'preact';

export interface Fact {
  label: string;
  value: ComponentChildren;
}

export function Facts({ facts }: { facts: readonly (Fact | null | undefined | false | '')[] }): VNode {
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact ? (
          <div>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
