/** The frame inside the demo's page, and the messages between the two (contract 31.6 to 31.9). */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { readBoot } from '../boot.ts';
import { mint, note } from './operator.ts';

const { frame, operator } = readBoot<{ frame: string; operator: string }>();

export interface Theme {
  readonly mode: string;
  readonly accent: string;
  readonly radius: string;
  readonly density: string;
}

export const theme = signal<Theme>({ mode: 'inherit', accent: '#4353ff', radius: 'soft', density: 'comfortable' });
export const locale = signal('en');
export const sizing = signal('pane');
/** The market that a shared link leads to. */
const shared = new URLSearchParams(location.search).get('event');
const SHARED = shared === null ? '' : `/${encodeURIComponent(shared)}`;
const height = signal(720);
let inner: HTMLIFrameElement | null = null;

export function setTheme(change: Partial<Theme>): void {
  theme.value = { ...theme.value, ...change };
  if (inner === null) {
    return;
  }
  send({ type: 'service.theme', theme: theme.value } as { type: string }, `service.theme ${JSON.stringify(change)}`);
}

function send(message: { readonly type: string }, shown: string): void {
  inner?.contentWindow?.postMessage(message, frame);
  note('page', shown);
}

/** A message from the frame, not checked yet. */
interface FrameMessage {
  readonly type?: unknown;
  readonly reason?: unknown;
  readonly height?: unknown;
}

window.addEventListener('message', ({ origin, source, data }: MessageEvent<FrameMessage | null>) => {
  if (origin !== frame || source !== inner?.contentWindow || typeof data !== 'object' || data === null) {
    return;
  }
  if (data.type === 'service.session.required') {
    note('frame', `service.session.required (${String(data.reason)})`);
    void answerWithSession();
  } else if (data.type === 'service.height_changed' && typeof data.height === 'number') {
    height.value = Math.min(20_000, Math.max(200, data.height));
    note('frame', `service.height_changed (${data.height} px)`);
  }
});

async function answerWithSession(): Promise<void> {
  try {
    const token = await mint();
    send({ type: 'service.session', token } as { type: string }, 'service.session (token)');
  } catch {
    note('page', 'no session: the service is away');
  }
}

export function Frame() {
  const place = useRef<HTMLIFrameElement>(null);
  const share = `${location.origin}${location.pathname}?event={event}`;
  const query = new URLSearchParams({ operator, locale: locale.value, sizing: sizing.value, share });
  useEffect(() => {
    inner = place.current;
  });
  return (
    <iframe
      key={query.toString()}
      ref={place}
      title="Prediction markets"
      src={`${frame}/embed/predictions${SHARED}?${query}&${new URLSearchParams({ ...theme.peek() })}`}
      style={{ height: sizing.value === 'auto' ? `${height.value}px` : '780px' }}
    />
  );
}
