import { TOPICS } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { withoutUnseen } from '../inert.ts';

export function SearchBox({ value = '' }: { value?: string }) {
  return (
    <div class="search-box">
      <label class="visually-hidden" for="q">
        Search
      </label>
      <input
        id="q"
        type="search"
        name="q"
        value={withoutUnseen(value)}
        placeholder="Words or @name"
        autocomplete="off"
        maxLength={200}
      />
      <button type="submit">Search</button>
    </div>
  );
}

interface BoxesProps {
  name: string;
  legend: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
}

export function Boxes({ name, legend, options, chosen }: BoxesProps) {
  return (
    <fieldset class="boxes">
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label class="box-label">
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />{' '}
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  chosen: string;
}

export function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <label class="choice">
      {label}
      <select name={name}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === chosen}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function TopicBoxes({ chosen }: { chosen: readonly string[] }) {
  return (
    <Boxes
      name="category"
      legend="Topics"
      chosen={chosen}
      options={TOPICS.map(({ id, label }) => ({ value: id, label }))}
    />
  );
}

export function FilterForm({ action, children }: { action: string; children: ComponentChildren }) {
  return (
    <form class="filters" action={action} method="get" role="search">
      {children}
    </form>
  );
}
