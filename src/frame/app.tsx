/** The frame as a whole: its session, its connection, and the current view. */
import { useEffect, useRef } from 'preact/hooks';
import { boot } from './boot.ts';
import { Icon } from './parts/pictures.tsx';
import { refusalText } from './parts/states.tsx';
import { catchFocus, go, route } from './route.ts';
import { away } from './service.ts';
import { pageOrigin, requestSession, session } from './session.ts';
import { t } from './texts/texts.ts';
import { mayBuy, maySell } from './trading/deal.ts';
import { EventView } from './views/event.tsx';
import { Markets } from './views/markets.tsx';
import { Positions } from './views/positions.tsx';
import { Settings, SettingsButton } from './views/settings.tsx';
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
  const isPositions = current.name === 'positions' || current.name === 'activity';
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
          <SettingsButton />
        </div>
      </header>
      <Settings />
      <main tabIndex={-1}>
        {!mayBuy.value && <NotHere />}
        {current.name === 'markets' && <Markets />}
        {current.name === 'event' && <EventView key={current.eventId} eventId={current.eventId} pick={current.pick} />}
        {isPositions && <Positions view={current} />}
      </main>
      {practice && <footer class="practice">{t('simulated')}</footer>}
    </>
  );
}

/** The notice that the jurisdiction does not permit trading, before the customer chooses anything. Holdings stay visible. */
function NotHere() {
  const text = useRef<HTMLParagraphElement>(null);
  // The ticket that may have had the focus is gone.
  useEffect(() => catchFocus(text.current), []);
  return (
    <p class="moved not-here" role="alert" tabIndex={-1} ref={text}>
      <Icon name="alert" />
      <span>
        {t('notOfferedHere')} {t(maySell.value ? 'notOfferedHint' : 'notOfferedSee')}
      </span>
    </p>
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
          <h1 class="empty-title">{refusalText(state.code)}</h1>
        </div>
        <WayOn act={() => window.location.reload()} />
      </main>
    );
  }
  const isAlone = window.parent === window;
  const words = { missing: 'connecting', expired: 'expiredSession', revoked: 'revokedSession' } as const;
  const late = state.status === 'waiting' && state.late;
  return (
    <main class="waiting">
      <i class="spinner large" aria-hidden="true" />
      <div role="status">
        <h1 class="empty-title">
          {state.status === 'waiting' &&
            t(late && state.reason === 'missing' ? (isAlone ? 'alone' : 'waitSession') : words[state.reason])}
        </h1>
        {late && !isAlone && <p class="quiet">{t('waitSessionLate')}</p>}
        {late && boot.operator.mode === 'sandbox' && <ForDevelopers />}
      </div>
      {late && <WayOn act={requestSession} />}
    </main>
  );
}

/** A hint for the developer who puts the frame into a page, because in a sandbox the developer is usually the reader. */
function ForDevelopers() {
  const origin = pageOrigin(boot.origins) ?? boot.origins.join(', ');
  return (
    <p class="quiet">
      {t('waitMessage', { origin })}{' '}
      <a class="link" href="/docs/guides/embed" target="_blank" rel="noopener noreferrer">
        {t('embedGuide')}
        <span class="unseen"> ({t('opensNewPage')})</span>
      </a>
    </p>
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
