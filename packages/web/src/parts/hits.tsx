import { Text } from './values.tsx';

/** A one-letter search must not mark everything. */
const MOST = 20;

export function Hits({ of, hit }: { of: string; hit: string | undefined }) {
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

function split(text: string, hit: string): string[] {
  const [where, what] = [text.toLowerCase(), hit.toLowerCase()];
  // Some letters become two in lower case.
  if (what === '' || where.length !== text.length) return [];
  const parts: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0 && parts.length < 2 * MOST; at = where.indexOf(what, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + what.length));
    from = at + what.length;
  }
  return [...parts, text.slice(from)];
}
