/**
 * The presentation of the frame, resolved from its sources and applied to the document: attributes of the style sheet, the accent
 * in shades that stay readable, and whether there is room for two columns.
 */
import { computed, effect, signal } from '@preact/signals';
import {
  DEFAULT_PRESENTATION,
  type PresentationSource,
  resolvePresentation,
  THEME_KEYS,
} from '../wire/presentation.ts';
import { boot } from './boot.ts';
import { readableOn, textOn } from './colours.ts';
import { session } from './session.ts';

/** Background colours of the style sheet, for the contrast of the accent. */
const LIGHT_GROUND = '#f3f4f8';
const DARK_GROUND = '#1b1f2a';

/** The latest `service.theme` message of the page; it takes precedence over all other sources. */
export const pageTheme = signal<PresentationSource>({});

const sessionSource = computed(() => {
  if (session.value.status !== 'ready') {
    return {};
  }
  const { theme, locale, region } = session.value.facts;
  const shown = Object.fromEntries(THEME_KEYS.map((key) => [key, theme[key]]));
  return { ...shown, locale, region };
});

export const presentation = computed(() =>
  boot.origins === undefined
    ? DEFAULT_PRESENTATION
    : resolvePresentation([pageTheme.value, boot.url, sessionSource.value, boot.setting]),
);

/** Counts the changes of the look. Drawings on a canvas, which has no style sheet, are drawn again when it changes. */
export const look = signal(0);

export function wearTheme(): void {
  effect(() => {
    const { mode, accent, radius, density, sizing, locale } = presentation.value;
    const root = document.documentElement;
    root.dataset['mode'] = mode;
    root.dataset['radius'] = radius;
    root.dataset['density'] = density;
    root.dataset['sizing'] = sizing;
    root.lang = locale;
    const { style } = root;
    style.setProperty('--accent', accent);
    style.setProperty('--on-accent', textOn(accent));
    style.setProperty('--accent-light', readableOn(accent, LIGHT_GROUND));
    style.setProperty('--accent-dark', readableOn(accent, DARK_GROUND));
    look.value = look.peek() + 1;
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    look.value += 1;
  });
}

const wideScreen = window.matchMedia('(min-width: 880px)');
const isWideScreen = signal(wideScreen.matches);
wideScreen.addEventListener('change', ({ matches }) => {
  isWideScreen.value = matches;
});

/** Whether there is room for a ticket beside the event. A frame that is as tall as its content could not keep the ticket in view. */
export const isWide = computed(() => isWideScreen.value && presentation.value.sizing === 'pane');
