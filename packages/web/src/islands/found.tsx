import { Sign, SIGNS } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';

type FoundProps = { verdict: 'pass' | 'fail' | 'wait'; heading: string; detail: string };

export function Found({ verdict, heading, detail }: FoundProps) {
  return (
    <p class={`overall ${verdict}`} data-overall={verdict}>
      <Sign d={SIGNS[verdict === 'pass' ? 'pass' : 'warn']} />
      <span>
        <strong>{heading}</strong> <TextNodes>{detail}</TextNodes>
      </span>
    </p>
  );
}
