import { SEAL_SHAPES, type SealState } from '../seal-shapes.ts';

/** `large`: the image of a page; by default it stands in a line of text. */
export const Seal = ({ state, large = false }: { state: SealState; large?: boolean }) => (
  <svg
    class={large ? 'glyph seal large' : 'glyph seal'}
    viewBox="0 0 20 20"
    width="20"
    height="20"
    aria-hidden="true"
    focusable="false"
    dangerouslySetInnerHTML={{ __html: SEAL_SHAPES[state] }}
  />
);
