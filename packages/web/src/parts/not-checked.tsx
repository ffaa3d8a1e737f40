import type { ComponentChildren, VNode } from 'preact';

export function NotChecked({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="result none">
      <p class="overall none" data-overall="none">
        <span>
          <strong>Nothing was checked.</strong> {children}
        </span>
      </p>
    </div>
  );
}
