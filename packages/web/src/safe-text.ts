import { replaceInvisible, escapeInvisibleInJson, invisibleIn } from '@svc/protocol';

interface TextRun {
  text: string;
  invisible: boolean;
}

/** Shows invisible characters by number; CRLF counts as a line feed. */
export function splitInvisible(text: string): TextRun[] {
  const found: TextRun[] = [];
  const lines = text.replaceAll('\r\n', '\n');
  let from = 0;
  for (const { index, codePoint } of invisibleIn(lines)) {
    if (index > from) found.push({ text: lines.slice(from, index), invisible: false });
    found.push({ text: codePointName(codePoint), invisible: true });
    from = index + String.fromCodePoint(codePoint).length;
  }
  if (from < lines.length) found.push({ text: lines.slice(from), invisible: false });
  return found;
}

export function safeLine(text: string): string {
  return splitInvisible(text)
    .map((run) => (run.invisible ? `[${run.text}]` : run.text))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim();
}

export const withoutInvisible = (text: string): string => replaceInvisible(text, () => '');

export const safeJson = (value: unknown): string => escapeInvisibleInJson(JSON.stringify(value));

export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const points = [...text];
  if (points.length <= most) return text;
  const first = points.slice(0, most + 1).join('');
  const whole = /^[^]*\S(?=\s)/.exec(first)?.[0];
  return whole && whole.length > first.length / 2 ? whole : points.slice(0, most).join('');
}

const codePointName = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/** XML 1.0; other characters become numbers. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- naming them is the point
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
