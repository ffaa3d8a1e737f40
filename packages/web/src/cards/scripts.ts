/** What one font of its own draws. */
export interface Script {
  /** the family as the font names itself */
  family: string;
  /** the package that holds it, in slices of some characters each */
  sliced?: string;
  holds: RegExp;
}

/**
 * Scripts beside those that are in every picture; of Chinese characters there is one large file. Scripts whose vowels stand
 * before what they follow are left out: the renderer sets them wrongly, which is worse than not at all.
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

/** A stretch of text that one font draws; undefined is the font of the line. */
export interface Run {
  script: Script | undefined;
  text: string;
}

/** Splits a line by the fonts it needs: where several are tried for one text, the renderer mixes them up. */
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
