import { type NumberedPage, TOPICS } from '@svc/contract';
import type { ComponentChildren } from 'preact';

type NumberedPagerProps = { page: NumberedPage; href: (number: number) => string };

export function NumberedPager({ page: { number, pages }, href }: NumberedPagerProps) {
  if (pages <= 1 && number === 1) return null;
  const link = (isThere: boolean, rel: 'prev' | 'next', to: number, text: string) =>
    isThere ? (
      <a rel={rel} href={href(to)}>
        {text}
      </a>
    ) : (
      <span></span>
    );
  return (
    <nav class="pager" aria-label="Pages">
      {link(number > 1, 'prev', number > pages ? pages : number - 1, '← Previous')}
      <span class="quiet">{`Page ${number} of ${pages}`}</span>
      {link(number < pages, 'next', number + 1, 'Next →')}
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

interface ListProps<Item> {
  of: readonly Item[];
  empty: ComponentChildren;
  kind?: string;
  children: (item: Item) => ComponentChildren;
}

export function List<Item>({ of, empty, kind = 'cards', children }: ListProps<Item>) {
  if (of.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class={kind}>
      {of.map((item) => (
        <li>{children(item)}</li>
      ))}
    </ul>
  );
}

interface TabsProps {
  label: string;
  current?: 'page' | 'true';
  tabs: readonly { href: string; label: ComponentChildren; isHere: boolean }[];
}

export const Tabs = ({ label, current = 'page', tabs }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <a href={tab.href} aria-current={tab.isHere ? current : undefined}>
        {tab.label}
      </a>
    ))}
  </nav>
);

export const TopicLinks = ({ here }: { here?: string }) => (
  <ul class="topics">
    {TOPICS.map(({ id, label }) => (
      <li>
        <a href={`/topics/${id}`} aria-current={id === here ? 'page' : undefined}>
          {label}
        </a>
      </li>
    ))}
  </ul>
);

type FiguresProps = { heads: readonly ComponentChildren[]; caption?: string; children: ComponentChildren };

export const Figures = ({ heads, caption, children }: FiguresProps) => (
  <table class="figures">
    {caption && <caption>{caption}</caption>}
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
