import type { VNode } from 'preact';

/** Enabled by a script. */
export function FileDrop({ words }: { words?: string }): VNode {
  return (
    <div class="drop" data-files={words ?? ''} hidden>
      <p>
        {words === undefined
          ? 'Commit to files: drop them here. They are hashed in your browser, and nothing of them leaves it.'
          : 'Do you have the files? Drop them here, with the manifest where there is one: they are compared in your browser.'}
      </p>
      <input type="file" multiple aria-label="Files" />
      <label>
        or a whole folder: <input type="file" {...{ webkitdirectory: true }} />
      </label>
      {words === undefined && (
        <label>
          <input type="checkbox" name="short" form="none" /> as a list of names and hashes, which everybody
          can search
        </label>
      )}
      <output></output>
    </div>
  );
}
