/** The colours of outcomes in charts, bars and legends: the team's own where it has one, else a series colour. Yes-green is neither. */
import type { Outcome } from '../../wire/catalogue.ts';
import { distance, readableOn } from '../colour.ts';

const HEX = /^#[0-9a-f]{6}$/i;
/** The cards' backgrounds in `styles/cards.css`. */
const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#151924';
/** The value at the end of a line has its colour, and text needs a contrast of 4.5 with its background. */
const LABEL_CONTRAST = 4.6;
/** Two lines that are closer than this look the same, in light or in dark. */
const LEAST_DISTANCE = 120;

interface Shades {
  readonly onLight: string;
  readonly onDark: string;
}

/** One CSS colour for each outcome, in the given order; no two teams look the same. */
export function seriesColours(outcomes: readonly Outcome[]): string[] {
  const used: Shades[] = [];
  return outcomes.map(({ teamColor }, index) => {
    const shades = teamColor !== null && HEX.test(teamColor) ? shadesOf(teamColor) : null;
    if (shades === null || used.some((other) => lookAlike(shades, other))) {
      return `var(--series-${index % 4})`;
    }
    used.push(shades);
    return `light-dark(${shades.onLight}, ${shades.onDark})`;
  });
}

/** A team's colour as it can be seen on a card, in light and dark. */
function shadesOf(colour: string): Shades {
  return {
    onLight: readableOn(colour, LIGHT_CARD, LABEL_CONTRAST),
    onDark: readableOn(colour, DARK_CARD, LABEL_CONTRAST),
  };
}

function lookAlike(one: Shades, other: Shades): boolean {
  return distance(one.onLight, other.onLight) <= LEAST_DISTANCE || distance(one.onDark, other.onDark) <= LEAST_DISTANCE;
}
