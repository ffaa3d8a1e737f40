import { verdictLine } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';

export type Found = { verdict: 'pass' | 'fail' | 'wait'; heading: string; detail: string };

export const foundLine = ({ verdict, heading, detail }: Found) =>
  verdictLine(verdict, verdict === 'pass' ? 'pass' : 'warn', [
    <strong>{heading}</strong>,
    ' ',
    <TextNodes>{detail}</TextNodes>,
  ]);

export const nothingOpened = (error: unknown) =>
  foundLine({ verdict: 'wait', heading: 'Nothing was opened.', detail: (error as Error).message });
