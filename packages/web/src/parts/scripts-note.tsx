import { parseQuestion, readWords, scriptsWarning } from '@svc/protocol/conventions';
import { Text } from './values.tsx';
import { Warning } from './sign.tsx';

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
