import type { ComponentChildren, VNode } from 'preact';

/** Stands where a verdict comes once the script has checked: without it, nothing was. */
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
