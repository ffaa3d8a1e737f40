import type { Etch } from '@svc/contract';
import { blindSealOf } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import { Button, PostForm } from './form.tsx';
import { prose } from './prose.tsx';
import type { Following } from './follow-button.tsx';

/** What the signed-in reader is to the etch, and may do with it. */
export interface ReaderActions {
  following?: Following;
  isAuthor?: boolean;
  canResolve?: boolean;
  isDue?: boolean;
  notice?: EtchNotice | undefined;
}

export const ETCH_NOTICES = {
  early: 'It was not opened: its time has not come. It opens by itself then.',
  retracted: 'Nothing was done: the etch is retracted, and there is nothing left to open.',
  public: 'Nothing was done: the etch is public already.',
  author: 'Nothing was done: only the author of an etch can do that.',
} as const;

type EtchNotice = keyof typeof ETCH_NOTICES;

export function EtchActions({ site, etch, own }: { site: Site; etch: Etch; own: ReaderActions | undefined }) {
  const here = `/e/${etch.id}`;
  const isSealed = etch.status === 'sealed';
  return (
    <>
      {own?.isAuthor && etch.status !== 'retracted' && (
        <section class="yours" aria-labelledby="yours">
          <h2 id="yours">For the author</h2>
          {isSealed &&
            (own.isDue ? (
              <PostForm action={`${here}/reveal`}>
                <p>Its time has come.</p>
                <Button kind="secondary">Open it</Button>
              </PostForm>
            ) : (
              <p>No account can open it earlier, not even yours. The operator has the key of the words.</p>
            ))}
          {isSealed && site.drand && (
            <PostForm action={`${here}/opening`}>
              {prose`
                The [opening](/open) is a file. After the opening date, anyone who has the file can read the words,
                even if this service is gone or you retract the etch. You cannot check the file earlier.
              `}
              <Button kind="secondary">Save the opening</Button>
            </PostForm>
          )}
          {own.canResolve && (
            <p class="actions">
              <a class="button secondary" href={`${here}/resolve`}>
                Resolve it
              </a>
              <span class="quiet">Say what came true, and your forecast gets a score.</span>
            </p>
          )}
          {prose`
            You cannot change it. A retraction ${
              blindSealOf(etch, site)
                ? 'erases the ciphertext here, but copies of it can still be opened'
                : 'erases the words here'
            }: [Retract this etch…](${here}/retract)
          `}
        </section>
      )}
    </>
  );
}
