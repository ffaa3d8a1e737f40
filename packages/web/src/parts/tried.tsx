import type { VNode } from 'preact';
import type { Tried, Tryable } from '../try-words.ts';
import { Hash } from './hash.tsx';
import { Sign, SIGNS } from './sign.tsx';

export function TriedSteps({ tryable, tried }: { tryable: Tryable; tried: Tried }): VNode {
  return (
    <ol class="tried-steps">
      <Compared title="The hash of these words" made={tried.hash} published={tryable.hash} />
      <Compared title="The root that it folds to" made={tried.root} published={tryable.root} />
    </ol>
  );
}

function Compared({ title, made, published }: { title: string; made: string; published: string }): VNode {
  const same = made === published;
  return (
    <li class={same ? 'same' : 'other'}>
      <p>
        <Sign d={SIGNS[same ? 'pass' : 'fail']} /> {title}{' '}
        <strong>{same ? 'is the same' : 'is different'}</strong>
      </p>
      <dl>
        <div>
          <dt>here</dt>
          <dd>
            <Hash value={made} />
          </dd>
        </div>
        <div>
          <dt>published</dt>
          <dd>
            <Hash value={published} />
          </dd>
        </div>
      </dl>
    </li>
  );
}
