import { sha256 } from '@noble/hashes/sha2.js';
import type { Author, Category } from '@svc/contract';
import { nameOf } from '../etch-text.ts';
import { hits } from './values.tsx';

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

const SIDE = 5;

/** Change it with the drawing: browsers cache pictures without limit. */
export const PORTRAITS = '/portraits/v1/';

/** Drawn from the id, which no one chooses, to tell similar names apart. It proves nothing. */
export function drawPortrait(id: string): string {
  const bytes = sha256(new TextEncoder().encode(`portrait ${id}`));
  const hue = (bytes[0]! * 256 + bytes[1]!) % 360;
  const other = (hue + 60 + (bytes[2]! % 8) * 30) % 360;
  const paths = ['', ''];
  for (let y = 0; y < SIDE; y++) {
    // The right half mirrors the left.
    for (let x = 0; x < 3; x++) {
      const byte = bytes[3 + y * 3 + x]!;
      if (byte % 2 === 0) continue;
      const colour = byte % 8 === 7 ? 1 : 0;
      for (const at of new Set([x, SIDE - 1 - x])) paths[colour] += `M${at} ${y}h1v1h-1z`;
    }
  }
  const [first, second] = paths;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" shape-rendering="crispEdges">',
    `<path fill="hsl(${hue} 40% 90%)" d="M-1-1h7v7h-7z"/>`,
    `<path fill="hsl(${hue} 55% 32%)" d="${first}"/>`,
    second ? `<path fill="hsl(${other} 60% 42%)" d="${second}"/>` : '',
    '</svg>',
  ].join('');
}
