/**
 * The outcomes of an event by its kind: a field by likelihood, a ladder by threshold in each direction with the expected level
 * between its levels, other kinds as independent outcomes. Thresholds are never parsed from labels.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Side } from '../../core/terms.ts';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { seriesColours } from '../colours.ts';
import { Chance, ChanceBar, Sides, TeamPrices } from '../parts/figures.tsx';
import { bySides } from '../parts/games.ts';
import { TeamMark } from '../parts/pictures.tsx';
import type { Pick } from '../route.ts';
import { t } from '../texts/texts.ts';
import { byProbability, decidedLast, levelText, shownPrice, winnerOf } from '../trading/price.ts';

interface OutcomesProps {
  readonly event: CatalogueEvent;
  /** Contract ids in the order of the chart's colours. */
  readonly charted: readonly string[];
  readonly pick: Pick | null;
  /** Shown below the selected row if it is not beside the event. */
  readonly ticket: ComponentChildren;
  onPick(contractId: string, side: Side): void;
}

const FIRST_ROWS = 10;

export function Outcomes(props: OutcomesProps) {
  const { event } = props;
  const [first] = event.outcomes;
  if (event.kind === 'binary' && first !== undefined) {
    return <Binary {...props} outcome={first} />;
  }
  const sides = bySides(event);
  if (sides !== null) {
    return <Teams {...props} sides={sides} />;
  }
  const groups = groupsOf(event);
  return (
    <div class="outcomes">
      {winnerOf(event) === undefined && <p class="quiet">{t(`kind_${event.kind}`)}</p>}
      {event.kind === 'cumulative_ladder' && levelText(event) !== null && (
        <p class="implied">
          <span>{t('impliedLevel')}</span>
          <b>{levelText(event)}</b>
        </p>
      )}
      {groups.map(({ direction, outcomes }) => (
        <div key={direction ?? 'none'}>
          {groups.length > 1 && <h2 class="group">{t(`direction_${direction ?? 'none'}`)}</h2>}
          <Rows {...props} outcomes={outcomes} />
        </div>
      ))}
    </div>
  );
}

function Binary({ outcome, event, pick, ticket, onPick }: OutcomesProps & { readonly outcome: Outcome }) {
  const { yesCents, noCents, open } = shownPrice(outcome);
  return (
    <div class="outcomes">
      <div class="two big">
        <Sides
          event={event}
          outcome={outcome}
          chosen={pick?.contractId === outcome.id ? pick.side : null}
          onPick={(side) => onPick(outcome.id, side)}
        />
      </div>
      {open && yesCents === null && noCents === null && <p class="quiet">{t('quoteOnly')}</p>}
      {ticket}
    </div>
  );
}

/** The sides of a game: the chance of each, and one button for each. */
function Teams({ event, sides, pick, ticket, onPick }: OutcomesProps & { readonly sides: readonly Outcome[] }) {
  return (
    <div class="outcomes teams">
      <ul class="lines sides">
        {sides.map((outcome) => (
          <li key={outcome.id}>
            <span class="line-label">
              <TeamMark outcome={outcome} />
              <span>{outcome.label}</span>
            </span>
            <Chance outcome={outcome} />
            <ChanceBar outcome={outcome} />
          </li>
        ))}
      </ul>
      <div class="big">
        <TeamPrices event={event} sides={sides} pick={pick} onPick={({ id }) => onPick(id, 'YES')} />
      </div>
      {ticket}
    </div>
  );
}

function Rows(props: OutcomesProps & { readonly outcomes: readonly Outcome[] }) {
  const { event, outcomes, charted, pick, ticket, onPick } = props;
  const all = useSignal(false);
  const picked = outcomes.findIndex(({ id }) => id === pick?.contractId);
  const shown = all.value || picked >= FIRST_ROWS ? outcomes : outcomes.slice(0, FIRST_ROWS);
  const isLadder = event.kind === 'cumulative_ladder';
  const colours = coloursOf(event, charted);
  const level = isLadder ? levelIndex(event, outcomes) : -1;
  return (
    <>
      <ul class={isLadder ? 'rows ladder' : 'rows'}>
        {shown.map((outcome, index) => {
          const isPicked = outcome.id === pick?.contractId;
          const colour = colours.get(outcome.id);
          return (
            <li key={outcome.id} class={isPicked ? 'row picked' : 'row'}>
              {index === level && (
                <p class="level" aria-hidden="true">
                  <span>{levelText(event)}</span>
                </p>
              )}
              <div class="row-line">
                <span class="row-label">
                  <TeamMark outcome={outcome} />
                  {colour !== undefined && !isLadder && <i class="dot" style={{ background: colour }} />}
                  <span>{outcome.label}</span>
                </span>
                <Chance outcome={outcome} />
                <span class="row-prices">
                  <Sides
                    event={event}
                    outcome={outcome}
                    chosen={isPicked ? pick?.side : null}
                    onPick={(side) => onPick(outcome.id, side)}
                  />
                </span>
              </div>
              {isPicked && ticket}
            </li>
          );
        })}
      </ul>
      {shown.length < outcomes.length && (
        <button
          type="button"
          class="button plain wide"
          onClick={() => {
            all.value = true;
          }}
        >
          {t('moreOutcomes', { n: outcomes.length - shown.length })}
        </button>
      )}
    </>
  );
}

/** The colours of the chart's lines, by contract. */
function coloursOf({ outcomes }: CatalogueEvent, charted: readonly string[]): ReadonlyMap<string, string> {
  const drawn = charted.flatMap((id) => outcomes.find((outcome) => outcome.id === id) ?? []);
  const colours = seriesColours(drawn);
  return new Map(drawn.map(({ id }, index) => [id, colours[index] ?? '']));
}

interface Group {
  readonly direction: Outcome['direction'];
  readonly outcomes: readonly Outcome[];
}

/** Thresholds by direction, then by height; null means that the direction is unknown. Decided outcomes are the last of their group. */
function groupsOf(event: CatalogueEvent): Group[] {
  const { kind, outcomes } = event;
  const graded =
    kind === 'cumulative_ladder' || (kind === 'ambiguous' && outcomes.every(({ threshold }) => threshold !== null));
  if (!graded) {
    return [{ direction: null, outcomes: decidedLast(byProbability(outcomes)) }];
  }
  return (['above', 'below', null] as const)
    .map((direction) => ({
      direction,
      outcomes: decidedLast(
        outcomes
          .filter((outcome) => outcome.direction === direction)
          .sort((a, b) => (a.threshold ?? 0) - (b.threshold ?? 0)),
      ),
    }))
    .filter((group) => group.outcomes.length > 0);
}

/** The first level above the expected one; the line is drawn before it. */
function levelIndex({ impliedLevel }: CatalogueEvent, outcomes: readonly Outcome[]): number {
  return impliedLevel === null
    ? -1
    : outcomes.findIndex(({ threshold }) => threshold !== null && threshold > impliedLevel);
}
