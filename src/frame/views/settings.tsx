/**
 * The choices of the customer for the whole frame. The browser keeps the format of prices, and whether slightly worse prices are
 * accepted, on this device. The display currency is shown with the date of its rate; everything is booked in dollars.
 */
import { signal } from '@preact/signals';
import { boot } from '../boot.ts';
import { currency, day, odds, plainNumber, price, rate, rates } from '../format.ts';
import { ODDS_FORMATS, type OddsFormat } from '../odds.ts';
import { Icon } from '../parts/pictures.tsx';
import { t } from '../texts/texts.ts';
import { acceptsWorse, WORSE_PRICE } from '../trading/deal.ts';

const ODDS = `inlay.odds.${boot.operator.slug}`;
const WORSE = `inlay.worse.${boot.operator.slug}`;
const YES = 'yes';
/** The price that shows each format as an example. */
const SAMPLE_CENTS = 57;

const isOpen = signal(false);

/** Restores earlier choices. */
export function readSettings(): void {
  try {
    const kept = window.localStorage.getItem(ODDS);
    odds.value = ODDS_FORMATS.find((format) => format === kept) ?? 'cents';
    acceptsWorse.value = window.localStorage.getItem(WORSE) === YES;
  } catch {
    // A browser may refuse to keep anything for an embedded page.
  }
}

function chooseOdds(format: OddsFormat): void {
  odds.value = format;
  keep(ODDS, format);
}

function keep(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // A browser may refuse to keep anything for an embedded page. The choice then lasts as long as the page.
  }
}

/** The choice to accept slightly worse prices, in the settings and beside each offer. */
export function AcceptWorse() {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={acceptsWorse.value}
        onChange={({ currentTarget }) => {
          acceptsWorse.value = currentTarget.checked;
          keep(WORSE, currentTarget.checked ? YES : '');
        }}
      />
      {t('acceptWorse', { price: price(WORSE_PRICE * 100, 'cents') })}
    </label>
  );
}

export function SettingsButton() {
  return (
    <button
      type="button"
      class="tool"
      aria-label={t('settings')}
      aria-expanded={isOpen.value}
      aria-controls="settings"
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <Icon name="settings" />
    </button>
  );
}

/** The choices, if they are open, and the rate of the display currency if it is not the dollar. */
export function Settings() {
  const shown = rate.value;
  return (
    <>
      <section id="settings" class="settings" aria-label={t('settings')} hidden={!isOpen.value}>
        <label>
          {t('oddsFormat')}
          <span class="select">
            <select
              value={odds.value}
              onChange={({ currentTarget }) =>
                chooseOdds(ODDS_FORMATS.find((format) => format === currentTarget.value) ?? 'cents')
              }
            >
              {ODDS_FORMATS.map((format) => (
                <option key={format} value={format}>
                  {`${t(`odds_${format}`)} (${price(SAMPLE_CENTS, format)})`}
                </option>
              ))}
            </select>
          </span>
        </label>
        {rates.value.length > 1 && (
          <label>
            {t('currency')}
            <span class="select">
              <select
                value={currency.value}
                onChange={({ currentTarget }) => {
                  currency.value = currentTarget.value;
                }}
              >
                {rates.value.map((entry) => (
                  <option key={entry.currency} value={entry.currency}>
                    {entry.currency}
                  </option>
                ))}
              </select>
            </span>
          </label>
        )}
        <AcceptWorse />
      </section>
      <p class="rate-note" role="status">
        {shown?.setAt != null &&
          t('rateNote', { rate: plainNumber(shown.rate), currency: shown.currency, date: day(shown.setAt) })}
      </p>
    </>
  );
}
