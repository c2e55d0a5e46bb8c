/** The picture of an order's states: a state diagram of Mermaid in a document, drawn on the site with every state in its place. */
import { html, type Markup, trusted } from '../../src/core/markup.ts';

export interface Transition {
  readonly from: string;
  readonly to: string;
  /** What causes it; empty if the picture has no room for it. */
  readonly cause: string;
}

const LEFT = 48;
const RIGHT = 340;
const WIDE = 184;
const NARROW = 92;
const HEIGHT = 38;

interface Place {
  readonly x: number;
  readonly y: number;
}

const PLACES: Readonly<Record<string, Place>> = {
  reserve_pending: { x: LEFT, y: 8 },
  pending_venue_execution: { x: LEFT, y: 98 },
  submitted: { x: LEFT, y: 188 },
  partially_filled: { x: LEFT, y: 278 },
  filled: { x: LEFT, y: 368 },
  cancelled: { x: RIGHT, y: 98 },
  rejected: { x: RIGHT, y: 278 },
};
/** After these, the money of the order is settled. */
const LAST = new Set(['filled', 'cancelled', 'rejected']);

/** The line of a transition, and the place of its cause. */
const LINES: Readonly<Record<string, { readonly path: string; readonly label: Place }>> = {
  'reserve_pending pending_venue_execution': { path: 'M140 46V94', label: { x: 148, y: 76 } },
  'reserve_pending cancelled': { path: 'M232 27H386V94', label: { x: 244, y: 20 } },
  'pending_venue_execution submitted': { path: 'M140 136V184', label: { x: 148, y: 166 } },
  'pending_venue_execution cancelled': { path: 'M232 117H336', label: { x: 244, y: 110 } },
  'submitted partially_filled': { path: 'M140 226V274', label: { x: 148, y: 256 } },
  'submitted filled': { path: 'M48 207H24V387H44', label: { x: 0, y: 0 } },
  'submitted cancelled': { path: 'M232 200H386V140', label: { x: 244, y: 193 } },
  'submitted rejected': { path: 'M232 214H386V274', label: { x: 244, y: 230 } },
  'partially_filled filled': { path: 'M140 316V364', label: { x: 148, y: 346 } },
};

/** @param diagram Mermaid: a line `from --> to: cause` for each transition */
export function readTransitions(diagram: string): Transition[] {
  return [...diagram.matchAll(/^\s*(\w+) --> (\w+)(?:: (.*))?$/gm)].map(([, from = '', to = '', cause = '']) => ({
    from,
    to,
    cause,
  }));
}

/** @throws Error if the diagram has a transition for which the picture has no line */
export function statesPicture(diagram: string): Markup {
  const transitions = readTransitions(diagram);
  const words = transitions.map(({ from, to, cause }) => `${from} to ${to}${cause === '' ? '' : ` (${cause})`}`);
  return html`<figure class="states"><svg viewBox="0 0 440 414" role="img" aria-label="States of an order: ${words.join(', ')}.">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${transitions.map(drawTransition)}
${Object.entries(PLACES).map(drawState)}
</svg></figure>
`;
}

function drawTransition({ from, to, cause }: Transition): Markup {
  const line = LINES[`${from} ${to}`];
  if (line === undefined) {
    throw new Error(`The picture of the states has no line from ${from} to ${to}.`);
  }
  const { path, label } = line;
  return html`<path class="line" d="${path}" marker-end="url(#arrow)"/>${
    cause === '' ? null : html`<text class="cause" x="${label.x}" y="${label.y}">${cause}</text>`
  }`;
}

function drawState([name, { x, y }]: readonly [string, Place]): Markup {
  const width = x === LEFT ? WIDE : NARROW;
  return html`<g${LAST.has(name) ? trusted(' class="last"') : null}><rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8"/><text x="${x + width / 2}" y="${y + HEIGHT / 2 + 4}" text-anchor="middle">${name}</text></g>
`;
}
