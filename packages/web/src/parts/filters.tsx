import { TOPICS } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { withoutInvisible } from '../safe-text.ts';
import { hiddenInputs } from './form.tsx';

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
        value={withoutInvisible(value)}
        placeholder="Words or @name"
        autocomplete="off"
        maxLength={200}
      />
      <button type="submit">Search</button>
    </div>
  );
}

/** The search alone, on other pages. */
export const SearchForm = () => (
  <form action="/search" method="get" role="search">
    <SearchBox />
  </form>
);

interface OptionsProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

export const Boxes = ({
  name,
  label: legend,
  options,
  chosen,
}: OptionsProps & { chosen: readonly string[] }) => (
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

export const Choice = ({ name, label, options, chosen }: OptionsProps & { chosen: string }) => (
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

const TOPIC_OPTIONS = TOPICS.map(({ id, label }) => ({ value: id, label }));

export const TopicBoxes = ({ chosen }: { chosen: readonly string[] }) => (
  <Boxes name="category" label="Topics" chosen={chosen} options={TOPIC_OPTIONS} />
);

type FilterFormProps = {
  action: string;
  sends: Readonly<Record<string, string>>;
  children: ComponentChildren;
};

export const FilterForm = ({ action, sends, children }: FilterFormProps) => (
  <form class="filters" action={action} method="get" role="search">
    {hiddenInputs(sends)}
    {children}
  </form>
);
