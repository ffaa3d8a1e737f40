import { TOPICS } from '@svc/contract';
import { Entry, LineEntry, type ToldProblem } from './form.tsx';

export const TOPIC_NAME = { subject: 'The topic', missing: 'Choose a topic' };

export function TopicEntry({ value, problem }: { value: string; problem: ToldProblem | undefined }) {
  return (
    <Entry name="category_id" label="Topic" problem={problem}>
      {(attributes) => (
        <select {...attributes}>
          <option value="" selected={value === ''}>
            Choose a topic
          </option>
          {TOPICS.map(({ id, label }) => (
            <option value={id} selected={id === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Entry>
  );
}

type DateEntryProps = { label: string; value: string; hint: string; problem: ToldProblem | undefined };

/** UTC; scripts add a local field. */
export function DateEntry({ label, value, hint, problem }: DateEntryProps) {
  return (
    <div data-utc="">
      <LineEntry
        name="reveal_at"
        type="datetime-local"
        label={`${label} (UTC)`}
        hint={hint}
        value={value}
        problem={problem}
      />
    </div>
  );
}
