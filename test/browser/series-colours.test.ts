/** Colours of teams can be read on cards, light and dark: the value at the end of a line is text in the colour of the line. */
import { expect, test } from 'vitest';
import { seriesColours } from '../../src/frame/colours.ts';
import type { Outcome } from '../../src/wire/catalogue.ts';

const CARDS = ['#ffffff', '#151924'] as const;
const outcome = (teamColor: string | null) => ({ teamColor }) as Outcome;

/** WCAG 2.2, from the definition of relative luminance. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test.each(['#007a33', '#002244', '#000000', '#ffffff', '#ffc72c', '#5a6b78', '#c8102e'])(
  'the colour of a team (%s) is readable in light and in dark',
  (team) => {
    const [shade = ''] = seriesColours([outcome(team)]);
    const shades = shade.match(/#[0-9a-f]{6}/g) ?? [];
    expect(shades).toHaveLength(2);
    shades.forEach((one, index) => {
      expect(contrast(one, CARDS[index] ?? ''), `${one} on ${CARDS[index]}`).toBeGreaterThanOrEqual(4.5);
    });
  },
);

test('two teams of nearly the same colour have different ones, and a colour that is none is replaced', () => {
  const [first, second, third] = seriesColours([outcome('#c8102e'), outcome('#ce1126'), outcome('red')]);
  expect(first).toContain('light-dark(');
  expect([second, third]).toEqual(['var(--series-1)', 'var(--series-2)']);
});

test.each([
  ['Rams and Seahawks', '#003594', '#002244'],
  ['Arsenal and Liverpool', '#ef0107', '#c8102e'],
  ['Chelsea and Tottenham', '#034694', '#132257'],
])('%s are not two lines of nearly the same colour', (_, one, other) => {
  expect(seriesColours([outcome(one), outcome(other)])[1]).toBe('var(--series-1)');
});

test.each([
  ['Knicks and Celtics', '#f58426', '#007a33'],
  ['Bills and Chiefs', '#00338d', '#e31837'],
  ['Barcelona and Athletic', '#a50044', '#ffe667'],
])('%s keep their colours', (_, one, other) => {
  expect(seriesColours([outcome(one), outcome(other)])[1]).toContain('light-dark(');
});
