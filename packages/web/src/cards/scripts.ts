export interface Script {
  family: string;
  sliced?: string;
  holds: RegExp;
}

/** The renderer sets scripts wrongly whose vowels precede their consonants, so they are missing here. */
export const SCRIPTS: readonly Script[] = [
  {
    family: 'Noto Sans Hans',
    holds: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
  },
  { family: 'Noto Sans Thai', sliced: 'noto-sans-thai', holds: /\p{Script=Thai}/u },
  { family: 'Gowun Dodum', sliced: 'gowun-dodum', holds: /\p{Script=Hangul}/u },
  {
    family: 'Noto Emoji',
    sliced: 'noto-emoji',
    holds: /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u,
  },
];

const JOINS = /\p{M}|\p{Join_Control}|\p{Emoji_Modifier}/u;

interface Run {
  script: Script | undefined;
  text: string;
}

/** The renderer confuses fonts within one run. */
export function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  for (const character of line) {
    const last = runs.at(-1);
    const script =
      last && JOINS.test(character) ? last.script : SCRIPTS.find(({ holds }) => holds.test(character));
    if (last && last.script === script) last.text += character;
    else runs.push({ script, text: character });
  }
  return runs;
}
