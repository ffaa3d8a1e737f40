import type { Etch } from '@svc/contract';
import { readWords } from '@svc/protocol/conventions';

export const commitsToFiles = ({ content }: Pick<Etch, 'content'>): boolean =>
  content !== null && readWords(content).kind === 'files';

export function FileDrop({ words }: { words: string }) {
  return (
    <section class="drop" data-files={words} aria-label="Compare files" hidden>
      <p>
        <strong>Do you have the files?</strong> Add or drop them here, and the manifest if there is one. Your
        browser compares them and sends nothing of them.
      </p>
      <AddFiles />
      <output></output>
    </section>
  );
}

export function AddFiles() {
  return (
    <p class="row">
      <label class="button secondary">
        Add files… <input class="visually-hidden" type="file" multiple />
      </label>
      <label class="button secondary">
        Add a folder… <input class="visually-hidden" type="file" {...{ webkitdirectory: true }} />
      </label>
    </p>
  );
}

export const MANIFEST_UNSAVED = 'Save the manifest, then tick “I saved the manifest”';

export function ManifestSaved({ wrong }: { wrong?: boolean | undefined }) {
  return (
    <label class={wrong ? 'mode wrong-note' : 'mode'}>
      <input
        type="checkbox"
        id="manifest_saved"
        name="manifest_saved"
        value="on"
        required
        aria-invalid={wrong ? 'true' : undefined}
      />
      <span>
        <strong>I saved the manifest</strong>
        <span class="quiet">Without the manifest you can never show one of these files.</span>
      </span>
    </label>
  );
}
