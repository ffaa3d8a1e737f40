import type { VNode } from 'preact';
import { Text } from './text.tsx';

/** The largest number of highlights, so that a one-letter search does not mark everything. */
const MOST = 20;

/** Highlights the search term in a stranger's text, ignoring case. */
export function Hits({ of, hit }: { of: string; hit: string | undefined }): VNode {
  const parts = hit === undefined ? [] : split(of, hit);
  if (parts.length < 2) return <Text>{of}</Text>;
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <mark>
            <Text>{part}</Text>
          </mark>
        ) : (
          part !== '' && <Text>{part}</Text>
        ),
      )}
    </bdi>
  );
}

/** Text and matches in turn. */
function split(text: string, hit: string): string[] {
  const [where, what] = [text.toLowerCase(), hit.toLowerCase()];
  // Some letters become two in lower case, so positions differ.
  if (what === '' || where.length !== text.length) return [];
  const parts: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0 && parts.length < 2 * MOST; at = where.indexOf(what, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + what.length));
    from = at + what.length;
  }
  return [...parts, text.slice(from)];
}
