import type { Etch, EtchStatus } from '@svc/contract';
import { takenDownFor } from '../taken-down.ts';
import { Glyph } from './glyph.tsx';

const WORDS: Readonly<Record<EtchStatus, string>> = {
  sealed: 'Sealed',
  revealed: 'Public',
  retracted: 'Retracted',
};

export function StatusTag({ etch, blind = false }: { etch: Etch; blind?: boolean }) {
  const { status } = etch;
  if (blind)
    return (
      <span class="tag sealed">
        <Glyph name="sealed" /> Blind seal
      </span>
    );
  return (
    <span class={`tag ${status}`}>
      <Glyph name={status} /> {takenDownFor(etch) === null ? WORDS[status] : 'Taken down'}
    </span>
  );
}
