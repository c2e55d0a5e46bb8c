/** The published rules of resolution: their text, closed at first because it may be long, the source that decides, and when the result is expected. */
import type { CatalogueEvent, EventRules } from '../../wire/catalogue.ts';
import { dayAndTime } from '../format.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';

export function RulesText({ event, rules }: { readonly event: CatalogueEvent; readonly rules: EventRules }) {
  return (
    <details class="rules-text">
      <summary>{t('rules')}</summary>
      {presentation.value.locale !== 'en' && <p class="note">{t('rulesInEnglish')}</p>}
      {rules.text !== null && <Paragraphs text={rules.text} />}
      {rules.outcomes.map(({ id, text }) => (
        <div key={id}>
          <p class="rules-outcome">{event.outcomes.find((outcome) => outcome.id === id)?.label}</p>
          <Paragraphs text={text} />
        </div>
      ))}
    </details>
  );
}

/** Where the result is read, and when; nothing if neither is published. */
export function RulesSource({ rules }: { readonly rules: EventRules }) {
  const { source, sourceUrl, resolvesAt } = rules;
  const words = source ?? sourceUrl;
  return (
    <>
      {words !== null && (
        <div>
          <dt>{t('rulesSource')}</dt>
          <dd lang="en">
            {sourceUrl !== null && /^https?:/.test(sourceUrl) ? (
              <a href={sourceUrl} target="_blank" rel="noopener noreferrer">
                {words}
                <span class="unseen"> ({t('opensNewPage')})</span>
              </a>
            ) : (
              words
            )}
          </dd>
        </div>
      )}
      {resolvesAt !== null && (
        <div>
          <dt>{t('resultExpected')}</dt>
          <dd>{dayAndTime(resolvesAt)}</dd>
        </div>
      )}
    </>
  );
}

function Paragraphs({ text }: { readonly text: string }) {
  return text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line, index) => (
      <p key={index} lang="en">
        {line}
      </p>
    ));
}
