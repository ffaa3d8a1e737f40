import type { VNode } from 'preact';
import type { EtchDraft } from './etch-draft.ts';
import { AddFiles } from './file-drop.tsx';
import { type ToldProblem, wrongWith } from './told-problem.ts';
import { Text } from './text.tsx';

export function FileEntry({ draft, problem }: { draft: EtchDraft; problem: ToldProblem | undefined }): VNode {
  const wrong = wrongWith(problem, 'files');
  return (
    <div class="as-files" id="files" tabindex={-1}>
      {wrong !== undefined && (
        <p class="wrong-note">
          <Text>{wrong}</Text>
        </p>
      )}
      <div class="drop" data-files="" hidden>
        <AddFiles />
        <p class="hint">Or drop them here. Nothing of them leaves your browser.</p>
        <div hidden>
          <textarea name="files" aria-label="First lines">{`\n${draft.files ?? ''}`}</textarea>
        </div>
        <output></output>
      </div>
      <noscript>
        <p class="hint">
          Your browser hashes files by a script, and scripts are switched off. <code>svc etch --files</code>{' '}
          works without a browser.
        </p>
      </noscript>
    </div>
  );
}
