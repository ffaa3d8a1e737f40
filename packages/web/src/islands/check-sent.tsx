import { Sign, SIGNS } from '../parts/sign.tsx';
import type { Misfitting, Sent } from './check-made.ts';
import { TextNodes } from '../parts/values.tsx';
import { drawn } from './drawn.ts';

export async function misfitBox(url: string, sent: Sent): Promise<HTMLElement | null> {
  const { checkMade } = await import('./check-made.ts');
  const misfitting = await checkMade(url, sent);
  return misfitting && drawn(<Changed {...misfitting} url={url} />);
}

function Changed({ words, answer, url }: Misfitting & { url: string }) {
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
