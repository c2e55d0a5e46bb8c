/** Keeps an operator's accent readable: WCAG contrast, and the nearest shade of the accent that is readable on a background. Pure. */
type Rgb = readonly [number, number, number];

/** Text on the accent: black or white, the one with more contrast. */
export function textOn(accent: string): string {
  const ground = parse(accent);
  return contrast(ground, [255, 255, 255]) >= contrast(ground, [12, 14, 20]) ? '#ffffff' : '#0c0e14';
}

/** The accent, if necessary mixed towards black or white until it has the required contrast on the background. */
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

/** How different two colours look, 0 to about 765 ("redmean"). */
export function distance(left: string, right: string): number {
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
