import type { NumberedPage } from '@svc/contract';

type NumberedPagerProps = { page: NumberedPage; href: (number: number) => string };

export function NumberedPager({ page, href }: NumberedPagerProps) {
  if (page.pages <= 1 && page.number === 1) return null;
  const beyond = page.number > page.pages;
  return (
    <nav class="pager" aria-label="Pages">
      {page.number > 1 ? (
        <a rel="prev" href={href(beyond ? page.pages : page.number - 1)}>
          ← Previous
        </a>
      ) : (
        <span></span>
      )}
      <span class="quiet">
        Page {page.number} of {page.pages}
      </span>
      {page.number < page.pages ? (
        <a rel="next" href={href(page.number + 1)}>
          Next →
        </a>
      ) : (
        <span></span>
      )}
    </nav>
  );
}

type CursorPagerProps = { first: string | null; next: string | null; older?: string };

export function CursorPager({ first, next, older = 'Older' }: CursorPagerProps) {
  if (first === null && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first ? <a href={first}>← First page</a> : <span></span>}
      {next ? (
        <a rel="next" href={next}>
          {older} →
        </a>
      ) : (
        <span class="quiet">The end of the list</span>
      )}
    </nav>
  );
}
