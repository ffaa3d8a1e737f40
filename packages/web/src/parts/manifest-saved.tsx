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
