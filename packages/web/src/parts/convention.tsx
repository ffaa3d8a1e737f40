import { parseQuestion, readWords, scriptsWarning, sectionsLine } from '@svc/protocol/conventions';
import { say } from './prose.tsx';
import { atTime, facts, fullHash, safe, safeLink, sourceLink } from './values.tsx';
import { windowText } from './hub-rounds.tsx';
import { Warning } from './sign.tsx';
import { forecastWords, outcomeValue, type Subject, unitOf } from '../etch-text.ts';
import { UNTRANSLATED } from '../untranslated.ts';

type ConventionProps = {
  content: string;
  question?: string | undefined;
  subject?: Subject | undefined;
  /** of the etch; undefined: the content is not etched yet */
  anchoredAt?: string | null | undefined;
};

export function Convention(props: ConventionProps) {
  const { content } = props;
  const sections = sectionsLine(content);
  return (
    <>
      {firstLines(props)}
      {sections !== null && facts(['Preregistration', sections])}
    </>
  );
}

const found = (id: string) => (
  <a href={`/search?q=${id}`}>
    <code>{id}</code>
  </a>
);

function firstLines({ content, question = '', subject, anchoredAt }: ConventionProps) {
  const words = readWords(content);
  switch (words.kind) {
    case 'forecast':
      return (
        <p class="said-large">
          <span class="quiet">Forecast</span>
          {forecastWords(words, unitOf(question)).map((part) => (
            <span {...UNTRANSLATED}>{safe(part)}</span>
          ))}
        </p>
      );
    case 'resolution':
      return facts(
        ['Resolves', subject ? safeLink(subject.path, subject.title) : found(words.target)],
        ['Came true', safe(outcomeValue(words.outcome, subject?.unit))],
        ['Source', sourceLink(words.source)],
      );
    case 'files':
      return words.form === 'root'
        ? facts(['Files', String(words.count)], ['Under the root', fullHash(words.root, 'root')])
        : facts(
            ...words.files.map(
              ({ name, sha256 }) => ['File', safe(name), <br />, fullHash(sha256, 'file hash')] as const,
            ),
          );
    case 'log':
      return facts(
        ['Log', `${words.lines} lines`],
        ['Under the root', fullHash(words.root, 'root')],
        ['Continues', words.prev !== null && found(words.prev)],
      );
    case 'hub':
      return facts(
        ['Hub', safe(words.hub)],
        ['Round', safe(words.round)],
        ['Model', safe(words.model)],
        ['Submission window', [atTime(words.opens), ' to ', atTime(words.closes)]],
        ['Submitted', anchoredAt !== undefined && windowText(words, anchoredAt)],
        ['Salted hash of the file', fullHash(words.file, 'file hash')],
        ['Replaces', words.prev !== null && found(words.prev)],
      );
    case 'scope':
      return facts(
        ['Scope', safe(words.subject)],
        ...words.accounts.map(
          ({ id, username }) => ['Account', say`[${username}](/u/${username}) ~${id}~`] as const,
        ),
        ['Domain', words.domain !== null && safe(words.domain)],
      );
    case 'text':
      return null;
  }
}

export function ScriptsNote({ question, content }: { question?: string; content?: string }) {
  const warning = scriptsWarning([...outcomesAsked(question ?? ''), ...outcomesForecast(content ?? '')]);
  return warning === null ? null : (
    <Warning>Careful: {safe(warning)}. Readers may take it for a different outcome.</Warning>
  );
}

function outcomesAsked(question: string): readonly string[] {
  const format = parseQuestion(question);
  return format.asks === 'outcomes' ? format.outcomes : [];
}

function outcomesForecast(content: string): readonly string[] {
  const words = readWords(content);
  return words.kind === 'forecast' && words.form === 'outcomes' ? words.outcomes.map(({ name }) => name) : [];
}
