import type { Etch, EtchStatus } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { erasedBy, takenDownFor } from '../taken-down.ts';
import { Glyph, type GlyphName } from './glyph.tsx';
import { onDay } from './values.tsx';

const WORDS: Readonly<Record<EtchStatus, string>> = {
  sealed: 'Sealed',
  revealed: 'Public',
  retracted: 'Retracted',
};

export function StatusTag({ etch, blind = false }: { etch: Etch; blind?: boolean }) {
  const { status } = etch;
  if (blind) return <Tag glyph="sealed">Blind seal</Tag>;
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
      Erased {erasedBy(etch)} on {onDay(etch.retracted_at)}
    </p>
  );
