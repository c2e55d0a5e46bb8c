/** The frame as a whole: its session, its connection, and the current view. */

import { useEffect, useRef } from 'preact/hooks';
import { catchFocus } from './focus.ts';
import { Icon } from './parts/marks.tsx';
import { refusalText } from './parts/states.tsx';
import { go, route } from './route.ts';
import { away } from './service.ts';
import { requestSession, session } from './session/session.ts';
import { t } from './texts/texts.ts';
import { CurrencyPicker } from './views/currency.tsx';
import { EventView } from './views/event.tsx';
import { Markets } from './views/markets.tsx';
import { Positions } from './views/positions.tsx';
import { Suspended } from './views/suspended.tsx';

export function App() {
  const state = session.value;
  return (
    <div class="frame">
      <div class="banner-place" role="status">
        {away.value !== null && (
          <p class="banner">
            <i class="spinner" aria-hidden="true" />
            {t(away.value === 'busy' ? 'busy' : 'away')}
          </p>
        )}
      </div>
      {state.status === 'ready' ? <Shell practice={state.facts.operator.mode === 'sandbox'} /> : <Waiting />}
    </div>
  );
}

function Shell({ practice }: { readonly practice: boolean }) {
  const current = route.value;
  const isPositions = current.name === 'positions';
  return (
    <>
      <header class="bar">
        <nav aria-label={t('markets')}>
          <button type="button" aria-current={isPositions ? undefined : 'page'} onClick={() => go({ name: 'markets' })}>
            {t('markets')}
          </button>
          <button
            type="button"
            aria-current={isPositions ? 'page' : undefined}
            onClick={() => go({ name: 'positions', list: 'open' })}
          >
            {t('positions')}
          </button>
        </nav>
        <div class="bar-end">
          {practice && <b class="practice-tag">{t('practice')}</b>}
          <CurrencyPicker />
        </div>
      </header>
      <main tabIndex={-1}>
        {current.name === 'markets' && <Markets />}
        {current.name === 'event' && <EventView key={current.eventId} eventId={current.eventId} pick={current.pick} />}
        {current.name === 'positions' && <Positions list={current.list} />}
      </main>
      {practice && <footer class="practice">{t('simulated')}</footer>}
    </>
  );
}

/** Shown before there is a session, and if there will not be one. */
function Waiting() {
  const state = session.value;
  if (state.status === 'refused' && state.code === 'user_suspended') {
    return <Suspended />;
  }
  if (state.status === 'refused') {
    return (
      <main class="waiting">
        <div role="alert">
          <span class="empty-icon">
            <Icon name="alert" />
          </span>
          <p class="empty-title">{refusalText(state.code)}</p>
        </div>
        <WayOn act={() => window.location.reload()} />
      </main>
    );
  }
  const words = { missing: 'connecting', expired: 'expiredSession', revoked: 'revokedSession' } as const;
  const late = state.status === 'waiting' && state.late;
  return (
    <main class="waiting connecting">
      <i class="spinner large" aria-hidden="true" />
      <div role="status">
        <p class="empty-title">
          {state.status === 'waiting' && t(late && state.reason === 'missing' ? 'waitSession' : words[state.reason])}
        </p>
        {late && <p class="quiet">{t('waitSessionLate')}</p>}
      </div>
      {late && <WayOn act={requestSession} />}
    </main>
  );
}

function WayOn({ act }: { readonly act: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => catchFocus(button.current), []);
  return (
    <button type="button" class="button plain" ref={button} onClick={act}>
      {t('tryAgain')}
    </button>
  );
}
