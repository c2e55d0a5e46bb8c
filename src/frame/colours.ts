/**
 * Colours that stay readable: those of outcomes in charts, bars and legends, and shades of an operator's accent, by the contrast
 * of WCAG. Pure.
 */
import type { Outcome } from '../wire/catalogue.ts';

type Rgb = readonly [number, number, number];

const HEX = /^#[0-9a-f]{6}$/i;
/** The backgrounds of cards, `--card` in `first-view.css`. */
const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#151924';
/** The value at the end of a line has the colour of the line, and text needs a contrast of 4.5 with its background. */
const LABEL_CONTRAST = 4.6;
/** Two lines that are closer than this look the same, in light or in dark. */
const LEAST_DISTANCE = 120;

interface Shades {
  readonly onLight: string;
  readonly onDark: string;
}

/**
 * The team's own colour if it has one that no earlier team resembles, else a colour of the series. None of those is the green of
 * Yes.
 * @returns one CSS colour for each outcome, in the given order
 */
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

/** Text on the accent: black or white, the one with more contrast. */
export function textOn(accent: string): string {
  const ground = parse(accent);
  return contrast(ground, [255, 255, 255]) >= contrast(ground, [12, 14, 20]) ? '#ffffff' : '#0c0e14';
}

/** The accent, mixed towards black or white, if necessary, until it has the wanted contrast with the background. */
export function readableOn(accent: string, ground: string, wanted = 4.6): string {
  const base = parse(accent);
  const paper = parse(ground);
  const target: Rgb = luminance(paper) > 0.4 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = mix(base, target, share);
    if (contrast(mixed, paper) >= wanted) {
      return format(mixed);
    }
  }
  return format(target);
}

/** A team's colour, mixed until it is readable on a card, in light and dark. */
function shadesOf(colour: string): Shades {
  return {
    onLight: readableOn(colour, LIGHT_CARD, LABEL_CONTRAST),
    onDark: readableOn(colour, DARK_CARD, LABEL_CONTRAST),
  };
}

function lookAlike(one: Shades, other: Shades): boolean {
  return distance(one.onLight, other.onLight) <= LEAST_DISTANCE || distance(one.onDark, other.onDark) <= LEAST_DISTANCE;
}

/** How different two colours look, 0 to about 765 ("redmean"). */
function distance(left: string, right: string): number {
  const [one, other] = [parse(left), parse(right)];
  const red = (one[0] + other[0]) / 2;
  const [r = 0, g = 0, b = 0] = one.map((part, index) => (part - (other[index] ?? 0)) ** 2);
  return Math.sqrt((2 + red / 256) * r + 4 * g + (2 + (255 - red) / 256) * b);
}

function contrast(left: Rgb, right: Rgb): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const [red = 0, green = 0, blue = 0] = from.map((part, index) =>
    Math.round(part + ((to[index] ?? 0) - part) * share),
  );
  return [red, green, blue];
}

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function format(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
