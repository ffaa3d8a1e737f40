import type { Author } from '@svc/contract';
import { nameOf } from '../names.ts';
import { PORTRAITS } from '../portrait.ts';
import { Hits } from './values.tsx';

export function Portrait({ id, size = 24 }: { id: string; size?: 24 | 64 }) {
  return (
    <img class="portrait" src={`${PORTRAITS}${id}.svg`} alt="" width={size} height={size} loading="lazy" />
  );
}

type NameAndHandleProps = { of: Pick<Author, 'username' | 'display_name'>; hit?: string | undefined };

export function NameAndHandle({ of, hit }: NameAndHandleProps) {
  const name = nameOf(of);
  const handle = hit === undefined ? of.username : <Hits of={of.username} hit={hit} />;
  if (name === of.username) return <>@{handle}</>;
  return (
    <>
      <Hits of={name} hit={hit} /> <span class="handle">@{handle}</span>
    </>
  );
}

interface AuthorLinkProps {
  author: Pick<Author, 'username' | 'display_name'> & Partial<Pick<Author, 'kind' | 'verified' | 'official'>>;
  id: string;
}

export function AuthorLink({ author, id }: AuthorLinkProps) {
  return (
    <span class="author">
      <a href={`/u/${author.username}`}>
        <Portrait id={id} /> <NameAndHandle of={author} />
      </a>
      {author.kind === 'agent' && <span class="badge">agent</span>}
      {author.official && <span class="badge">official</span>}
      {author.verified && <span class="badge">verified</span>}
    </span>
  );
}

export const Byline = (of: AuthorLinkProps) => (
  <p class="byline">
    by <AuthorLink {...of} />
  </p>
);
