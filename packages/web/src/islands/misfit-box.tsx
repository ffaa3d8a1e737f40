import { Sign, SIGNS } from '../parts/sign.tsx';
import type { CreatedMisfit, SentFields } from './check-created.ts';
import { TextNodes } from '../parts/values.tsx';
import { asElement } from './as-element.ts';

export async function misfitBox(url: string, sent: SentFields): Promise<HTMLElement | null> {
  const { checkCreated: checkMade } = await import('./check-created.ts');
  const misfitting = await checkMade(url, sent);
  return misfitting && asElement(<MisfitBox {...misfitting} url={url} />);
}

function MisfitBox({ words, answer, url }: CreatedMisfit & { url: string }) {
  const file = URL.createObjectURL(new Blob([JSON.stringify(answer)], { type: 'application/json' }));
  return (
    <div class="problem" role="alert" tabindex={-1}>
      <h2>
        <Sign d={SIGNS.warn} /> The service stored something different from what you sent
      </h2>
      <p>
        <TextNodes>{words}</TextNodes>
      </p>
      <p>
        <a download="answer.json" href={file}>
          Save the answer as evidence
        </a>{' '}
        <a href={url}>Show what was stored</a>
      </p>
    </div>
  );
}
