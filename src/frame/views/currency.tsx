/** The display currency with the date of its rate. Presentation only: everything is booked in dollars. */
import { currency, day, plainNumber, rate, rates } from '../format.ts';
import { t } from '../texts/texts.ts';

export function CurrencyPicker() {
  if (rates.value.length < 2) {
    return null;
  }
  const shown = rate.value;
  return (
    <div class="currency">
      <label class="select">
        <span class="unseen">{t('currency')}</span>
        <select
          value={currency.value}
          onChange={(event) => {
            currency.value = event.currentTarget.value;
          }}
        >
          {rates.value.map((entry) => (
            <option key={entry.currency} value={entry.currency}>
              {entry.currency}
            </option>
          ))}
        </select>
      </label>
      {shown !== undefined && shown.setAt !== null && (
        <p class="rate-note" role="status">
          {t('rateNote', { rate: plainNumber(shown.rate), currency: shown.currency, date: day(shown.setAt) })}
        </p>
      )}
    </div>
  );
}
