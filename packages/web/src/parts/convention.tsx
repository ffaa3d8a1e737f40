import { parseQuestion, readWords, scriptsWarning, sectionsLine } from '@svc/protocol/conventions';
import { outcomeValue } from '../questions.ts';
import { forecastParts } from '../words-text.ts';
import { Fact, Facts, Hash, Text, TextLink } from './values.tsx';
import type { Subject } from '../title.ts';
import { Warning } from './sign.tsx';

interface ConventionProps {
  content: string;
  subject?: Subject | undefined;
}

export function Convention(props: ConventionProps) {
  const sections = sectionsLine(props.content);
  return (
    <>
      <FirstLines {...props} />
      {sections !== null && (
        <Facts>
          <Fact label="Preregistration" value={sections} />
        </Facts>
      )}
    </>
  );
}

function FirstLines({ content, subject }: ConventionProps) {
  const words = readWords(content);
  switch (words.kind) {
    case 'forecast':
      return (
        <Facts>
          <Fact label="Forecast">
            {forecastParts(words).map((part) => (
              <div>
                <Text>{part}</Text>
              </div>
            ))}
          </Fact>
        </Facts>
      );
    case 'resolution':
      return (
        <Facts>
          <Fact label="Resolves">
            {subject ? (
              <TextLink href={subject.path}>{subject.title}</TextLink>
            ) : (
              <a href={`/search?q=${words.target}`}>
                <code>{words.target}</code>
              </a>
            )}
          </Fact>
          <Fact label="Came true" value={<Text>{outcomeValue(words.outcome, subject?.unit)}</Text>} />
          <Fact label="Source" value={<Text>{words.source}</Text>} />
        </Facts>
      );
    case 'files':
      return words.form === 'root' ? (
        <Facts>
          <Fact label="Files" value={String(words.count)} />
          <Fact label="Under the root" value={<Hash value={words.root} copy="root" />} />
        </Facts>
      ) : (
        <Facts>
          {words.files.map(({ name, sha256 }) => (
            <Fact label="File">
              <Text>{name}</Text>
              <br />
              <Hash value={sha256} copy="file hash" />
            </Fact>
          ))}
        </Facts>
      );
    case 'log':
      return (
        <Facts>
          <Fact label="Log" value={`${words.lines} lines`} />
          <Fact label="Under the root" value={<Hash value={words.root} copy="root" />} />
          {words.prev !== null && (
            <Fact label="Continues">
              <a href={`/search?q=${words.prev}`}>
                <code>{words.prev}</code>
              </a>
            </Fact>
          )}
        </Facts>
      );
    case 'scope':
      return (
        <Facts>
          <Fact label="Scope" value={<Text>{words.subject}</Text>} />
          {words.accounts.map(({ id, username }) => (
            <Fact label="Account">
              <a href={`/u/${username}`}>{username}</a> <code>{id}</code>
            </Fact>
          ))}
          <Fact label="Domain" value={words.domain !== null && <Text>{words.domain}</Text>} />
        </Facts>
      );
    case 'text':
      return null;
  }
}

export function ScriptsNote({ question, content }: { question?: string; content?: string }) {
  const warning = scriptsWarning([...outcomesAsked(question ?? ''), ...outcomesForecast(content ?? '')]);
  return warning === null ? null : (
    <Warning>
      Careful: <Text>{warning}</Text>. Readers may take it for a different outcome.
    </Warning>
  );
}

function outcomesAsked(question: string): readonly string[] {
  const asked = parseQuestion(question);
  return asked.asks === 'outcomes' ? asked.outcomes : [];
}

function outcomesForecast(content: string): readonly string[] {
  const words = readWords(content);
  return words.kind === 'forecast' && words.form === 'outcomes' ? words.outcomes.map(({ name }) => name) : [];
}
