import { verdictLine } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';

export type OpeningResult = { verdict: 'pass' | 'fail' | 'wait'; heading: string; detail: string };

export const openingResultLine = ({ verdict, heading, detail }: OpeningResult) =>
  verdictLine(verdict, verdict === 'pass' ? 'pass' : 'warn', [
    <strong>{heading}</strong>,
    ' ',
    <TextNodes>{detail}</TextNodes>,
  ]);

export const nothingOpenedLine = (error: unknown) =>
  openingResultLine({ verdict: 'wait', heading: 'Nothing was opened.', detail: (error as Error).message });
