import type { Author, Category } from '@svc/contract';
import { PORTRAITS } from '../portrait.ts';
import { hits } from './values.tsx';
import { nameOf } from '../etch-text.ts';

export function Portrait({ id, size = 24 }: { id: string; size?: 24 | 64 }) {
  return (
    <img class="portrait" src={`${PORTRAITS}${id}.svg`} alt="" width={size} height={size} loading="lazy" />
  );
}

type NameAndHandleProps = { of: Pick<Author, 'username' | 'display_name'>; hit?: string | undefined };

export function NameAndHandle({ of, hit }: NameAndHandleProps) {
  const name = nameOf(of);
  const handle = hit === undefined ? of.username : hits(of.username, hit);
  if (name === of.username) return <>@{handle}</>;
  return (
    <>
      {hits(name, hit)} <span class="handle">@{handle}</span>
    </>
  );
}

type Linked = Pick<Author, 'username' | 'display_name'> &
  Partial<Pick<Author, 'kind' | 'verified' | 'official'>>;

export const authorLink = (author: Linked, id: string) => (
  <span class="author">
    <a href={`/u/${author.username}`}>
      <Portrait id={id} /> <NameAndHandle of={author} />
    </a>
    {author.kind === 'agent' && <span class="badge">agent</span>}
    {author.official && <span class="badge">official</span>}
    {author.verified && <span class="badge">verified</span>}
  </span>
);

export const topicLink = ({ id, label }: Category) => (
  <a class="quiet" href={`/topics/${id}`}>
    {label}
  </a>
);

export const byline = (author: Linked, id: string) => <p class="byline">by {authorLink(author, id)}</p>;
