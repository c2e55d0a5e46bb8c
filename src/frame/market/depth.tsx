/** Order book and recent trades of one outcome, closed at first. The tables are loaded when it is opened. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { t } from '../texts/texts.ts';
import { byProbability } from '../trading/price.ts';

type Tables = ComponentType<{ readonly outcome: Outcome }>;

export function Depth({ event, picked }: { readonly event: CatalogueEvent; readonly picked: string | undefined }) {
  const tables = useSignal<{ readonly Show: Tables } | null>(null);
  const open = useSignal(false);
  const chosen = useSignal<string | null>(null);
  const outcomes = byProbability(event.outcomes);
  const id = chosen.value ?? picked;
  const outcome = outcomes.find((one) => one.id === id) ?? outcomes[0];
  if (outcome === undefined) {
    return null;
  }
  const toggle = (isOpen: boolean) => {
    open.value = isOpen;
    if (isOpen && tables.value === null) {
      void import('./depth-tables.tsx').then(({ DepthTables }) => {
        tables.value = { Show: DepthTables };
      });
    }
  };
  const Show = tables.value?.Show;
  return (
    <details class="depth" onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>{t('depth')}</summary>
      {open.value && (
        <div class="depth-body">
          {outcomes.length > 1 && (
            <label class="depth-outcome">
              <span>{t('outcome')}</span>
              <span class="select">
                <select
                  value={outcome.id}
                  onChange={({ currentTarget }) => {
                    chosen.value = currentTarget.value;
                  }}
                >
                  {outcomes.map(({ id: value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </span>
            </label>
          )}
          {Show === undefined ? <div class="depth-wait skeleton" /> : <Show key={outcome.id} outcome={outcome} />}
        </div>
      )}
    </details>
  );
}
