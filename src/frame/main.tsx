/** Starts the frame: theme, messages with the page, session, app. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { FrameSession } from '../wire/embed.ts';
import { readPresentation, THEME_KEYS } from '../wire/presentation.ts';
import { App } from './app.tsx';
import { boot } from './boot.ts';
import { isTokenProblem, returns, ServiceRefusal, send } from './service.ts';
import {
  currentToken,
  followHeight,
  listenToPage,
  putOn,
  session,
  sessionLate,
  sessionRefused,
  startSession,
  takeToken,
  tokenRefused,
} from './session.ts';
import { pageTheme, presentation, wearTheme } from './theme.ts';
import { followAccount } from './trading/deal.ts';
import { readSettings } from './views/settings.tsx';
import './styles.css';

/** Errors that a second attempt with the same token would repeat. */
const FINAL = ['user_suspended', 'operator_suspended', 'origin_not_allowed'];
const RETRY_MS = 3_000;

wearTheme();
readSettings();
const root = document.getElementById('app');
if (root !== null) {
  render(<App />, root);
  if (presentation.value.sizing === 'auto') {
    followHeight(root);
  }
}

listenToPage(boot.origins, {
  onToken: takeToken,
  onTheme: (theme) => {
    // An invalid value leaves the previous one in place.
    const read = readPresentation(Object.fromEntries(THEME_KEYS.map((key) => [key, theme[key]])));
    pageTheme.value = { ...pageTheme.value, ...read };
  },
});
startSession(readSession);
followAccount();

// A token that arrived while the service was unavailable is checked when it is available again.
effect(() => {
  const token = returns.value > 0 ? currentToken() : null;
  if (token !== null && session.peek().status === 'waiting') {
    void readSession(token);
  }
});

async function readSession(token: string): Promise<void> {
  try {
    putOn(await send<FrameSession>('/session', token));
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) {
      return;
    }
    if (isTokenProblem(error.code)) {
      tokenRefused(error.code, token);
    } else if (FINAL.includes(error.code)) {
      sessionRefused(error.code);
    } else {
      sessionLate();
      window.setTimeout(() => token === currentToken() && void readSession(token), RETRY_MS);
    }
  }
}
