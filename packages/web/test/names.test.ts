import { describe, expect, it } from 'vitest';
import { drawPortrait } from '@svc/web/parts/author';
import { authorLink } from '../src/parts/author.tsx';
import { renderToString } from 'preact-render-to-string';
import { nameOf } from '../src/etch-text.ts';

const ID = '1b671a64-40d5-491e-99b0-da01ff1f3341';
const shown = (name: string) =>
  renderToString(authorLink({ username: 'mallory', display_name: name }, ID)).replace(/<img[^>]*>/, '');

describe('a name', () => {
  it.each([
    ['@ada', 'ada'],
    ['＠ada', 'ada'],
    ['Ada ✓', 'Ada'],
    ['Ada ✅\ufe0f ☑', 'Ada'],
    ['ada@example.org', 'ada example.org'],
    [' ✓ @ ', 'mallory'],
    ['Ada (verified)', 'Ada'],
    ['Ada ［ Official ］', 'Ada'],
    ['Ada, once an admin (retired)', 'Ada, once an admin (retired)'],
    ['Grace Höpper', 'Grace Höpper'],
  ])('%j never looks like a handle or a verified name', (name, said) => {
    expect(nameOf({ display_name: name, username: 'mallory' })).toBe(said);
  });

  it('precedes the handle, which is always shown, and is not repeated', () => {
    expect(shown('Grace')).toMatch(/<bdi>Grace<\/bdi> <span class="handle">@mallory</);
    expect(shown('mallory')).not.toContain('<bdi>');
    expect(shown('\u202eecarg')).toContain('U+202E');
  });
});

describe('a picture', () => {
  it('depends on the id alone, differs between accounts, and is small', () => {
    const drawn = new Set<string>();
    for (let count = 0; count < 500; count++) {
      const picture = drawPortrait(`${ID.slice(0, -3)}${`${count}`.padStart(3, '0')}`);
      expect(picture.length).toBeLessThan(700);
      drawn.add(picture);
    }
    expect(drawn.size).toBe(500);
    expect(drawPortrait(ID)).toBe(drawPortrait(ID));
    expect(drawPortrait(ID)).toMatchInlineSnapshot(
      `"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" shape-rendering="crispEdges"><path fill="hsl(232 40% 90%)" d="M-1-1h7v7h-7z"/><path fill="hsl(232 55% 32%)" d="M0 0h1v1h-1zM4 0h1v1h-1zM1 0h1v1h-1zM3 0h1v1h-1zM0 1h1v1h-1zM4 1h1v1h-1zM2 1h1v1h-1zM1 3h1v1h-1zM3 3h1v1h-1zM0 4h1v1h-1zM4 4h1v1h-1zM2 4h1v1h-1z"/><path fill="hsl(82 60% 42%)" d="M2 0h1v1h-1zM1 1h1v1h-1zM3 1h1v1h-1z"/></svg>"`,
    );
  });
});
