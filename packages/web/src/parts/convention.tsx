import { readWords, sectionsLine } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { outcomeValue } from '../outcome.ts';
import type { Subject } from '../subject.ts';
import { forecastParts } from '../words-text.ts';
import { Facts } from './facts.tsx';
import { Hash } from './hash.tsx';
import { Text } from './text.tsx';

interface ConventionProps {
  content: string;
  subject?: Subject | undefined;
}

export function Convention(props: ConventionProps): VNode {
  const sections = sectionsLine(props.content);
  return (
    <>
      <FirstLines {...props} />
      {sections !== null && <Facts facts={[{ label: 'Preregistration', value: sections }]} />}
    </>
  );
}

function FirstLines({ content, subject }: ConventionProps): VNode | null {
  const words = readWords(content);
  switch (words.kind) {
    case 'forecast':
      return (
        <Facts
          facts={[
            {
              label: 'Forecast',
              value: forecastParts(words).map((part) => (
                <div>
                  <Text>{part}</Text>
                </div>
              )),
            },
          ]}
        />
      );
    case 'resolution':
      return (
        <Facts
          facts={[
            {
              label: 'Resolves',
              value: subject ? (
                <a href={subject.path}>
                  <Text>{subject.title}</Text>
                </a>
              ) : (
                <a href={`/search?q=${words.target}`}>
                  <code>{words.target}</code>
                </a>
              ),
            },
            { label: 'Came true', value: <Text>{outcomeValue(words.outcome, subject?.unit)}</Text> },
            { label: 'Source', value: <Text>{words.source}</Text> },
          ]}
        />
      );
    case 'files':
      return words.form === 'root' ? (
        <Facts
          facts={[
            { label: 'Files', value: String(words.count) },
            { label: 'Under the root', value: <Hash value={words.root} copy="root" /> },
          ]}
        />
      ) : (
        <Facts
          facts={words.files.map(({ name, sha256 }) => ({
            label: 'File',
            value: (
              <>
                <Text>{name}</Text>
                <br />
                <Hash value={sha256} copy="file hash" />
              </>
            ),
          }))}
        />
      );
    case 'log':
      return (
        <Facts
          facts={[
            { label: 'Log', value: `${words.lines} lines` },
            { label: 'Under the root', value: <Hash value={words.root} copy="root" /> },
            ...(words.prev === null
              ? []
              : [
                  {
                    label: 'Continues',
                    value: (
                      <a href={`/search?q=${words.prev}`}>
                        <code>{words.prev}</code>
                      </a>
                    ),
                  },
                ]),
          ]}
        />
      );
    case 'scope':
      return (
        <Facts
          facts={[
            { label: 'Scope', value: <Text>{words.subject}</Text> },
            ...words.accounts.map(({ id, username }) => ({
              label: 'Account',
              value: (
                <>
                  <a href={`/u/${username}`}>{username}</a> <code>{id}</code>
                </>
              ),
            })),
            ...(words.domain === null ? [] : [{ label: 'Domain', value: <Text>{words.domain}</Text> }]),
          ]}
        />
      );
    case 'text':
      return null;
  }
}
