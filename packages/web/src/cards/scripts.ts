/** A script that has its own font. */
export interface Script {
  /** the family name inside the font */
  family: string;
  /** the package of the font, in parts of some characters each */
  sliced?: string;
  holds: RegExp;
}

/**
 * Scripts in addition to those of every picture; Chinese characters share one large file. Scripts whose vowels precede their
 * consonants are left out, because the renderer sets them wrongly.
 */
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

/** A run of text with one font; undefined is the font of the line. */
export interface Run {
  script: Script | undefined;
  text: string;
}

/** Splits a line by font, because the renderer mixes fonts up when a text needs several. */
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
