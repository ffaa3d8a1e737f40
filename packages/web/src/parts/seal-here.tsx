import { PostForm, TextEntry } from './form.tsx';
import { Seal } from './seal.tsx';

/** Seals a sentence in the visitor's browser (islands/seal.ts). Without scripts it leads to the form of an etch. */
export const SealHere = () => (
  <section class="card seal-here" aria-labelledby="seal-here">
    <h2 id="seal-here">Try it: seal a sentence</h2>
    <PostForm action="/write" data-seal="" sends={{ step: 'edit', mode: 'delayed' }}>
      <TextEntry
        name="content"
        label="Something that you expect"
        value="It snows here before Christmas."
        rows={2}
        words
      />
      <p class="hint with-scripts">“Seal it” works in your browser and sends nothing.</p>
      <div class="seal-state" data-sealed="" hidden>
        <Seal state="sealed" large />
        <p>
          <strong>Sealed in your browser.</strong> Nothing was sent. Readers of an etch would see only this of
          your words, and cannot guess them from it: <code data-mark=""></code>
        </p>
      </div>
      <div class="seal-state" data-broken="" hidden>
        <Seal state="revealed" large />
        <p role="status" data-compared=""></p>
      </div>
      <p class="actions">
        <button type="button" data-act="seal" hidden>
          Seal it
        </button>
        <button type="button" data-act="open" hidden>
          Open it
        </button>
        <button type="submit" data-act="send">
          Write an etch
        </button>
      </p>
    </PostForm>
  </section>
);
