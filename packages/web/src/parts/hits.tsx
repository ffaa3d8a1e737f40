import type { VNode } from 'preact';
import { Text } from './text.tsx';

/** So many are marked; whoever looks for one letter does not make a page of marks. */
const MOST = 20;

/** A stranger's text with what was searched for marked in it, letter case aside. */
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

/** What is between hits, and the hits, in turn. */
function split(text: string, hit: string): string[] {
  const [where, what] = [text.toLowerCase(), hit.toLowerCase()];
  // Some letters are two in small: then a place in the one is no place in the other.
  if (what === '' || where.length !== text.length) return [];
  const parts: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0 && parts.length < 2 * MOST; at = where.indexOf(what, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + what.length));
    from = at + what.length;
  }
  return [...parts, text.slice(from)];
}
