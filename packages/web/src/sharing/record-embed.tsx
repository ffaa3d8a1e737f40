import type { AccountScore, ScoreSummary } from '@svc/contract';
import { renderToString } from 'preact-render-to-string';
import type { Card } from '../cards/card.ts';
import { cut, safeLine } from '../safe-text.ts';
import { auditedText } from '../proof-status.ts';
import { isDevnet, type Site } from '../site.ts';
import { embedFrame, type EmbedParts, out } from './embed.tsx';
import { countText } from '../format.ts';
import { againstChance, denominators, othersText, type Scored } from '../parts/score-parts.tsx';

const CALIBRATED = 10;

export interface RecordEmbed {
  username: string;
  name: string;
  score: Scored<AccountScore>;
  /** time of the operator's last audit of all accounts, if it passed and covers this one */
  audited?: string | undefined;
}

function linesOf({ score, audited }: RecordEmbed): { lead: string; lines: string[] } {
  if ('problem' in score) return { lead: 'No scores are shown now', lines: [`${score.problem}.`] };
  const { counts, scores } = score;
  const of = denominators(counts);
  const lead =
    counts.scored === 0 ? 'No forecast has a score yet' : `${countText(counts.scored, 'forecast')} scored`;
  return {
    lead,
    lines: [
      ...averages(scores.by_others, 'resolved by others'),
      ...averages(scores.self_resolved, 'resolved by the author'),
      ...calibration(scores.by_others),
      ...(of === lead ? [] : [`${of}.`]),
      othersText(counts, counts.sealed_etches),
      ...(audited === undefined ? [] : [auditedText(audited)]),
    ].filter((line) => line !== ''),
  };
}

function averages({ brier: { binary, several } }: ScoreSummary, resolved: string): string[] {
  const average = (
    { n, mean }: { n: number; mean: number | null },
    of: string,
    compared: string,
  ): string[] =>
    mean === null ? [] : [`Average Brier score ${mean.toFixed(2)} over ${n} ${of}, ${resolved}${compared}.`];
  return [
    ...average(binary, 'yes/no forecasts', againstChance(binary)),
    ...average(several, 'forecasts with several outcomes', ''),
  ];
}

function calibration({ calibration: bins }: ScoreSummary): string[] {
  if (bins.reduce((sum, { n }) => sum + n, 0) < CALIBRATED) return [];
  const parts = bins
    .filter(({ n }) => n > 0)
    .map(({ from, n, yes }) => `from ${Math.round(from * 100)} %, ${yes} of ${n}`);
  return [`Calibration: of those that said yes ${parts.join('; ')} came true.`];
}

const titleOf = ({ name, username }: RecordEmbed): string => cut(safeLine(`${name} (@${username})`), 80);
const recordUrl = (site: Site, { username }: RecordEmbed): string => `${site.baseUrl}/u/${username}`;
const checkWith = ({ username }: RecordEmbed): string => `svc audit ${username}`;

export function recordEmbedPage(site: Site, record: RecordEmbed, { style }: EmbedParts): string {
  const { lead, lines } = linesOf(record);
  const url = recordUrl(site, record);
  return embedFrame(site, style, {
    title: titleOf(record),
    pageTitle: `Track record of ${titleOf(record)}`,
    region: 'The track record',
    url,
    tone: 'plain',
    state: lead,
    content: lines.map((line) => <p>{line}</p>),
    by: ['Check that nothing is missing: ', <code>{checkWith(record)}</code>],
    more: out(url, 'The record'),
  });
}

export function recordCard(site: Site, record: RecordEmbed): Card {
  const { lead, lines } = linesOf(record);
  return {
    tone: 'plain',
    state: lead,
    title: titleOf(record),
    words: lines.join(' '),
    dense: true,
    absent: null,
    by: 'Computed by this service from public data',
    facts: `check: ${checkWith(record)}`,
    sentences: `This service computed it from public data. ${checkWith(record)} checks it.`,
    address: recordUrl(site, record).replace(/^https?:\/\//, ''),
    devnet: isDevnet(site),
  };
}

const LINE_HEIGHT = 24;
const COLUMNS = 78;

export function recordSvg(site: Site, record: RecordEmbed): string {
  const { lead, lines } = linesOf(record);
  const foot = `${recordUrl(site, record)} · check: ${checkWith(record)}`;
  const wrapped = [...lines, foot].flatMap((line) => wrap(line));
  const height = 96 + wrapped.length * LINE_HEIGHT + 16;
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width="640"
      height={height}
      viewBox={`0 0 640 ${height}`}
      role="img"
    >
      <title>{`Track record of ${titleOf(record)}: ${lead}`}</title>
      <rect x="0.5" y="0.5" width="639" height={height - 1} rx="10" fill="#fff" stroke="#767676" />
      <g font-family="system-ui, sans-serif" fill="#1b1b1b">
        <text x="24" y="42" font-size="20" font-weight="600">
          {titleOf(record)}
        </text>
        <text x="24" y="72" font-size="16" font-weight="600">
          {lead}
        </text>
        {wrapped.map((line, at) => (
          <text x="24" y={104 + at * LINE_HEIGHT} font-size="14">
            {line}
          </text>
        ))}
      </g>
    </svg>,
  );
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)!} ${word}`.trim();
    if (longer.length <= COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
