/**
 * How the frame looks, and which source decides it (contract chapter 31): the page's `service.theme`, then the URL,
 * the session, the operator's setting, the default. An invalid value is ignored, and the next source is used.
 * Pure, and shared by the document and the app, so that the first paint and the app never disagree.
 */
const MODES = ['light', 'dark', 'inherit'] as const;
const RADII = ['sharp', 'soft', 'round'] as const;
const DENSITIES = ['comfortable', 'compact'] as const;
const SIZINGS = ['pane', 'auto'] as const;
const LOCALES = ['en', 'es', 'pt', 'hr'] as const;
const REGION_NAMES = ['global', 'ar', 'br', 'mx', 'cl', 'co', 'pe', 'us', 'eu', 'hr'] as const;

export interface Presentation {
  readonly mode: (typeof MODES)[number];
  /** `#rrggbb`, lower case. */
  readonly accent: string;
  readonly radius: (typeof RADII)[number];
  readonly density: (typeof DENSITIES)[number];
  readonly locale: (typeof LOCALES)[number];
  readonly region: (typeof REGION_NAMES)[number];
  readonly sizing: (typeof SIZINGS)[number];
}

export const DEFAULT_PRESENTATION: Presentation = {
  mode: 'inherit',
  accent: '#4353ff',
  radius: 'soft',
  density: 'comfortable',
  locale: 'en',
  region: 'global',
  sizing: 'pane',
};

/** Keys that a page may change live, and that a session's theme may set. */
export const THEME_KEYS = ['mode', 'accent', 'radius', 'density'] as const;

/** Unchecked settings of a page, a URL or an operator. `readPresentation` checks each value. */
export type PresentationSource = Readonly<Partial<Record<keyof Presentation, unknown>>>;

/** The valid settings of a source; missing and invalid ones are left out. */
export function readPresentation(source: PresentationSource): Partial<Presentation> {
  const read: { -readonly [Key in keyof Presentation]?: Presentation[Key] | undefined } = {
    mode: oneOf(MODES, source.mode),
    accent: readAccent(source.accent),
    radius: oneOf(RADII, source.radius),
    density: oneOf(DENSITIES, source.density),
    locale: readLanguage(source.locale),
    region: oneOf(REGION_NAMES, source.region),
    sizing: oneOf(SIZINGS, source.sizing),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as Partial<Presentation>;
}

/** @param sources the strongest first */
export function resolvePresentation(sources: readonly PresentationSource[]): Presentation {
  return Object.assign({}, DEFAULT_PRESENTATION, ...sources.map(readPresentation).reverse()) as Presentation;
}

/** `#rgb` or `#rrggbb`; nothing else ever reaches a style. */
function readAccent(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) {
    return undefined;
  }
  const digits = value.slice(1).toLowerCase();
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`;
}

/** Regional tags are read by their language. */
function readLanguage(value: unknown): Presentation['locale'] | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(value) || value.length > 35) {
    return undefined;
  }
  return oneOf(LOCALES, value.split('-', 1)[0]?.toLowerCase());
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  return names.find((name) => name === value);
}
