/** The colours of outcomes in charts, bars and legends: the team's own where it has one, else a series colour. Yes-green is neither. */
import type { Outcome } from '../../wire/catalogue.ts';
import { distance, readableOn } from '../colour.ts';

const HEX = /^#[0-9a-f]{6}$/i;
/** The cards' backgrounds in `styles/cards.css`. */
const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#151924';
/** The value at the end of a line has its colour, and text needs a contrast of 4.5 with its background. */
const LABEL_CONTRAST = 4.6;
/** Two lines that are closer than this look the same. */
const LEAST_DISTANCE = 90;

/** One CSS colour for each outcome, in the given order; no two teams look the same. */
export function seriesColours(outcomes: readonly Outcome[]): string[] {
  const used: string[] = [];
  return outcomes.map(({ teamColor }, index) => {
    const isFree =
      teamColor !== null && HEX.test(teamColor) && used.every((one) => distance(one, teamColor) > LEAST_DISTANCE);
    if (!isFree) {
      return `var(--series-${index % 4})`;
    }
    used.push(teamColor);
    return teamShade(teamColor);
  });
}

/** A team's colour as it can be seen on a card, in light and dark. */
function teamShade(colour: string): string {
  const onLight = readableOn(colour, LIGHT_CARD, LABEL_CONTRAST);
  const onDark = readableOn(colour, DARK_CARD, LABEL_CONTRAST);
  return `light-dark(${onLight}, ${onDark})`;
}
