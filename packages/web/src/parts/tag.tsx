import type { Etch } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { erasedBy, takenDownFor } from '../etch-text.ts';
import type { SealState } from '../seal-shapes.ts';
import { Seal } from './seal.tsx';
import { Sign, SIGNS } from './sign.tsx';
import { pastTime, safe } from './values.tsx';

const WORDS = { sealed: 'Sealed', retracted: 'Retracted' } as const;

type StatusTagProps = { etch: Etch; blind?: boolean; resolved?: string | undefined };

/** `resolved`: the outcome of a forecast, such as `Resolved: 8 nights` */
export function StatusTag({ etch, blind = false, resolved }: StatusTagProps) {
  const { status } = etch;
  if (resolved !== undefined) return <Tag glyph="pass">{safe(resolved)}</Tag>;
  if (blind) return <Tag glyph="sealed">Blind seal</Tag>;
  if (status === 'revealed')
    return (
      <Tag glyph={etch.reveal_at === null ? 'public' : status} tone={status}>
        {etch.reveal_at === null ? 'Public' : 'Opened'}
      </Tag>
    );
  return <Tag glyph={status}>{takenDownFor(etch) === null ? WORDS[status] : 'Taken down'}</Tag>;
}

type TagProps = { glyph: GlyphName; tone?: string; children: ComponentChildren };

export const Tag = ({ glyph, tone = glyph, children }: TagProps) => (
  <span class={`tag ${tone}`}>
    <Glyph name={glyph} /> {children}
  </span>
);

/** For a card of an etch whose proof is not complete. */
export const NotAnchored = ({ etch: { status, chain } }: { etch: Pick<Etch, 'status' | 'chain'> }) =>
  status !== 'retracted' && chain.status !== 'anchored' && <Tag glyph="pending">Not anchored yet</Tag>;

export const Erased = ({ etch }: { etch: Etch }) =>
  etch.status === 'retracted' && (
    <p class="hidden-words">
      Erased {erasedBy(etch)} on {pastTime(etch.retracted_at)}
    </p>
  );

/** Color is never the only difference. */
const PATHS = {
  ...SIGNS,
  public: 'M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  pending: 'M6 3h8M6 17h8M7 3c0 5 6 9 6 14M13 3c0 5-6 9-6 14',
  anchored:
    'M10 7.5V17M10 3a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 10 3zM6.5 10h7M3.5 11.5c0 3.5 3 5.5 6.5 5.5s6.5-2 6.5-5.5',
} as const;

export type GlyphName = keyof typeof PATHS | SealState;

export function Glyph({ name }: { name: GlyphName }) {
  return name in PATHS ? <Sign d={PATHS[name as keyof typeof PATHS]} /> : <Seal state={name as SealState} />;
}
